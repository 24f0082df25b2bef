"""Pages of the viewer that show captures as people saw them."""
