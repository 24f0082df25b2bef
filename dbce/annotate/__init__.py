"""Gold made by people in the browser: a desk for each kind of gold, over one core."""
