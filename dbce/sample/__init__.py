"""The sample archive: three invented sites, their captures and the truth about them."""
