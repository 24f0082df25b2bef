"""`dbce label`: gold labels of content, run by run or by region."""
