"""The app: the whole job in a browser, on one's own machine.

Pages over the Plan, rendered by a small server that answers to its own browser only. Reading,
searching and writing happen in a child process (`coterie.app.child`); the server never holds the
table. The entry point is `coterie.app.server.serve`.
"""
