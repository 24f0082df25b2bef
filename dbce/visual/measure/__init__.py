"""How good segmentations are: against blocks that people drew, by all measures of the field."""
