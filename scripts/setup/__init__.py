"""What sets the project up: environments, tools, wheels, and documents that follow from declarations."""
