"""Conditions on documents, as TinyDB has them."""
import re


def _frozen(value):
    """Something that can be compared and hashed in the value's place."""
    if isinstance(value, dict):
        return ("dict", frozenset((key, _frozen(each)) for key, each in value.items()))
    if isinstance(value, (list, tuple)):
        return ("list", tuple(_frozen(each) for each in value))
    if isinstance(value, (set, frozenset)):
        return ("set", frozenset(value))
    return value


def _is_sequence(value):
    return hasattr(value, "__iter__")


class QueryInstance:
    """A condition: called with a document, it says whether that fits."""

    def __init__(self, test, hashval):
        self._test = test
        self._hash = hashval

    def is_cacheable(self):
        return self._hash is not None

    def __call__(self, value):
        return self._test(value)

    def __hash__(self):
        return hash(self._hash)

    def __repr__(self):
        return f"QueryImpl{self._hash}"

    def __eq__(self, other):
        if isinstance(other, QueryInstance):
            return self._hash == other._hash
        return False

    def __and__(self, other):
        both = frozenset([self._hash, other._hash]) if self.is_cacheable() and other.is_cacheable() else None
        return QueryInstance(lambda value: self(value) and other(value), both and ("and", both))

    def __or__(self, other):
        both = frozenset([self._hash, other._hash]) if self.is_cacheable() and other.is_cacheable() else None
        return QueryInstance(lambda value: self(value) or other(value), both and ("or", both))

    def __invert__(self):
        return QueryInstance(lambda value: not self(value), ("not", self._hash) if self.is_cacheable() else None)


class Query(QueryInstance):
    """A path into documents: `Query().price < 100`."""

    def __init__(self):
        super().__init__(self._no_test, (None,))
        self._path = ()

    def _no_test(self, value):
        raise RuntimeError("Empty query was evaluated")

    def __repr__(self):
        return f"{type(self).__name__}()"

    def __hash__(self):
        return super().__hash__()

    def _step(self, part):
        query = type(self)()
        query._path = self._path + (part,)
        query._hash = ("path", query._path) if self.is_cacheable() and not callable(part) else None
        return query

    def __getattr__(self, item):
        if item.startswith("__") and item.endswith("__"):
            raise AttributeError(item)
        return self._step(item)

    def __getitem__(self, item):
        return self._step(item)

    def map(self, fn):
        """The same path, and then what `fn` makes of what is there."""
        return self._step(fn)

    def _generate_test(self, test, hashval, allow_empty_path=False):
        path = self._path
        if not path and not allow_empty_path:
            raise RuntimeError("Query has no path")

        def runner(value):
            try:
                for part in path:
                    value = value[part] if isinstance(part, str) else part(value)
            except (KeyError, TypeError):
                return False
            return test(value)

        return QueryInstance(runner, hashval if self.is_cacheable() else None)

    def __eq__(self, rhs):
        return self._generate_test(lambda value: value == rhs, ("==", self._path, _frozen(rhs)))

    def __ne__(self, rhs):
        return self._generate_test(lambda value: value != rhs, ("!=", self._path, _frozen(rhs)))

    def __lt__(self, rhs):
        return self._generate_test(lambda value: value < rhs, ("<", self._path, rhs))

    def __le__(self, rhs):
        return self._generate_test(lambda value: value <= rhs, ("<=", self._path, rhs))

    def __gt__(self, rhs):
        return self._generate_test(lambda value: value > rhs, (">", self._path, rhs))

    def __ge__(self, rhs):
        return self._generate_test(lambda value: value >= rhs, (">=", self._path, rhs))

    def exists(self):
        return self._generate_test(lambda value: True, ("exists", self._path))

    def matches(self, regex, flags=0):
        def test(value):
            return isinstance(value, str) and re.match(regex, value, flags) is not None

        return self._generate_test(test, ("matches", self._path, regex))

    def search(self, regex, flags=0):
        def test(value):
            return isinstance(value, str) and re.search(regex, value, flags) is not None

        return self._generate_test(test, ("search", self._path, regex))

    def test(self, func, *args):
        return self._generate_test(lambda value: func(value, *args), ("test", self._path, func, args))

    def any(self, cond):
        if callable(cond):
            def test(value):
                return _is_sequence(value) and any(cond(each) for each in value)
        else:
            def test(value):
                return _is_sequence(value) and any(each in cond for each in value)
        return self._generate_test(test, ("any", self._path, _frozen(cond)))

    def all(self, cond):
        if callable(cond):
            def test(value):
                return _is_sequence(value) and all(cond(each) for each in value)
        else:
            def test(value):
                return _is_sequence(value) and all(each in value for each in cond)
        return self._generate_test(test, ("all", self._path, _frozen(cond)))

    def one_of(self, items):
        return self._generate_test(lambda value: value in items, ("one_of", self._path, _frozen(items)))

    def fragment(self, document):
        def test(value):
            return all(key in value and value[key] == document[key] for key in document)

        return self._generate_test(test, ("fragment", _frozen(document)), allow_empty_path=True)

    def noop(self):
        return QueryInstance(lambda value: True, ())


def where(key):
    """`where("price") < 100` is `Query().price < 100`."""
    return Query()[key]
