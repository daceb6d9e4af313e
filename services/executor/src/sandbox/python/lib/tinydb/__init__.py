"""TinyDB's `Query` and `where`, and its tables over the rows of a database."""
from tinydb.queries import Query, where
from tinydb.table import Document, Table


class TinyDB:
    """The tables by their names. A program is given one, `db`, and makes none."""

    def __init__(self, *args, **kwargs):
        raise RuntimeError("a program has no files: the database is there as db")

    def table(self, name, **kwargs):
        if name not in self._tables:
            raise KeyError(f"there is no table {name}, there are: {', '.join(self._tables)}")
        return self._tables[name]

    def tables(self):
        return set(self._tables)

    def __iter__(self):
        return iter(self._tables.values())

    def __len__(self):
        return sum(len(table) for table in self._tables.values())

    def __repr__(self):
        return f"<TinyDB tables={sorted(self._tables)}>"


def _open(run, made):
    """The database that a program is given. `made` says how each table is made."""
    db = object.__new__(TinyDB)
    db._tables = {each["name"]: Table(run, each["name"], each["key"], each["columns"]) for each in made}
    return db


def get_current_balance(tbl):
    """The balance after the last transaction; 0.0 when there is none."""
    last = 0.0
    for row in tbl:
        last = row["balance_after_transaction"]
    return float(last)


def next_transaction_id(tbl, prefix="TXN"):
    """The id after the highest one that begins with the prefix."""
    highest = 0
    for row in tbl:
        digits = str(row.get("transaction_id", ""))[len(prefix):]
        if str(row.get("transaction_id", "")).startswith(prefix) and digits.isdigit():
            highest = max(highest, int(digits))
    return f"{prefix}{highest + 1:03d}"
