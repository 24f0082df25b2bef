"""`dbce label`: people say what is content, run by run or by region, and it is gold."""
