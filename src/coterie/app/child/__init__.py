"""The child process: holds the table, does the work, tells how far it is.

It is started by the server (`coterie.app.worker`), reads commands as lines of JSON and answers with
events in the same form. When the server is gone, its input ends and so does the child.
"""
