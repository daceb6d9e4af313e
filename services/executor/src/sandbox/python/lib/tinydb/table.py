"""A table of TinyDB whose documents are the rows of a database's table."""


class Document(dict):
    """A row, and the number that it has in its table while the program runs."""

    def __init__(self, value, doc_id):
        super().__init__(value)
        self.doc_id = doc_id


class Table:
    """Documents, read once; what is changed is changed in the database at once."""

    default_query_cache_capacity = 10

    def __init__(self, run, name, key, columns):
        self._run = run
        self._name = name
        self._key = key
        self._columns = columns
        self._rows = None
        self._next_id = 1

    def __repr__(self):
        return f"<Table name={self._name!r}, total={len(self)}>"

    @property
    def name(self):
        return self._name

    def _docs(self):
        if self._rows is None:
            self._rows = {}
            for row in self._run("all", [self._name]):
                self._rows[self._next_id] = row
                self._next_id += 1
        return self._rows

    def _fitting(self, cond, doc_ids):
        docs = self._docs()
        if doc_ids is not None:
            return [doc_id for doc_id in doc_ids]
        if cond is None:
            return list(docs)
        return [doc_id for doc_id in docs if cond(Document(docs[doc_id], doc_id))]

    def all(self):
        return list(self)

    def __iter__(self):
        for doc_id, row in list(self._docs().items()):
            yield Document(row, doc_id)

    def __len__(self):
        return len(self._docs())

    def search(self, cond):
        return [document for document in self if cond(document)]

    def get(self, cond=None, doc_id=None, doc_ids=None):
        docs = self._docs()
        if doc_id is not None:
            return Document(docs[doc_id], doc_id) if doc_id in docs else None
        if doc_ids is not None:
            return [Document(docs[each], each) for each in doc_ids if each in docs]
        if cond is not None:
            for document in self:
                if cond(document):
                    return document
            return None
        raise RuntimeError("You have to pass either cond or doc_id or doc_ids")

    def contains(self, cond=None, doc_id=None):
        if doc_id is not None:
            return doc_id in self._docs()
        if cond is not None:
            return self.get(cond) is not None
        raise RuntimeError("You have to pass either cond or doc_id")

    def count(self, cond):
        return len(self.search(cond))

    def insert(self, document):
        if not isinstance(document, dict):
            raise ValueError("Document is not a Mapping")
        docs = self._docs()
        row = self._run("insert", [self._name, dict(document)])
        doc_id = self._next_id
        docs[doc_id] = row
        self._next_id += 1
        return doc_id

    def insert_multiple(self, documents):
        return [self.insert(document) for document in documents]

    def _change(self, doc_id, fields):
        docs = self._docs()
        before = docs[doc_id]
        after = Document(before, doc_id)
        if callable(fields):
            fields(after)
        else:
            after.update(fields)
        for column in self._columns:
            after.setdefault(column, None)
        docs[doc_id] = self._run("update", [self._name, before, dict(after)])

    def update(self, fields, cond=None, doc_ids=None):
        changed = self._fitting(cond, doc_ids)
        for doc_id in changed:
            self._change(doc_id, fields)
        return changed

    def update_multiple(self, updates):
        changed = []
        for doc_id in list(self._docs()):
            for fields, cond in updates:
                if cond(Document(self._docs()[doc_id], doc_id)):
                    self._change(doc_id, fields)
                    changed.append(doc_id)
        return changed

    def upsert(self, document, cond=None):
        if isinstance(document, Document):
            if document.doc_id in self._docs():
                return self.update(document, doc_ids=[document.doc_id])
            if cond is None:
                return [self.insert(document)]
        if cond is None:
            raise ValueError(
                "If you don't specify a search query, you must specify a doc_id. Hint: use a table.Document object.")
        return self.update(document, cond) or [self.insert(document)]

    def remove(self, cond=None, doc_ids=None):
        if cond is None and doc_ids is None:
            raise RuntimeError("Use truncate() to remove all documents")
        docs = self._docs()
        removed = self._fitting(cond, doc_ids)
        for doc_id in removed:
            self._run("delete", [self._name, docs[doc_id]])
            del docs[doc_id]
        return removed

    def truncate(self):
        self.remove(doc_ids=list(self._docs()))

    def clear_cache(self):
        """Nothing is kept that could be out of date."""
