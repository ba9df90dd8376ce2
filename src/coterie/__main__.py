"""``python -m coterie``: the command line."""

from coterie.cli.process import program

if __name__ == "__main__":
    program()
