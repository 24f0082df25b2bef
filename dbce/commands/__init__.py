"""The commands: a table that says what each is called and takes, and a module of what each does.

`archives`, `runs` and `labels` declare them, and the wing declares its own. A command's module, and the libraries that
it needs, are imported when it is called: `dbce --help` and the completion of a shell must not wait for them.
"""
