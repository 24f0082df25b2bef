"""`dbce view`: a web page on a finished run, served by this machine."""
