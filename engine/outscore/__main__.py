"""`python -m outscore` is the command `outscore`."""

from outscore.cli import main

if __name__ == "__main__":
    main()
