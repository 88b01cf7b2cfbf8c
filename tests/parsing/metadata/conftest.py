"""Makes small assemblies by hand: tables, names and signatures in the format that compilers write."""

import struct

import pytest

from codecortex.parsing.metadata import tables

_PLACES = 512


class Heap:
    """A heap of names or blobs; each is added once."""

    def __init__(self):
        self.data = b"\0"
        self._known = {b"": 0}

    def add(self, item):
        if item not in self._known:
            self._known[item] = len(self.data)
            self.data += item
        return self._known[item]


class AssemblyMaker:
    """Collects rows, then writes a file of them."""

    def __init__(self):
        self.rows = {}
        self._strings, self._blobs = Heap(), Heap()
        self.add(32, 0, 0, 0, 0, 0, 0, 0, self.name("Made"), 0)
        self.type("<Module>")

    def name(self, text):
        return self._strings.add(text.encode() + b"\0") if text else 0

    def blob(self, *data):
        return self._blobs.add(bytes((len(data), *data)))

    def add(self, table, *row):
        self.rows.setdefault(table, []).append(row)
        return len(self.rows[table])

    def type(self, name, space="", flags=1, extends=0):
        fields, methods = (len(self.rows.get(table, ())) + 1 for table in (4, 6))
        return self.add(2, flags, self.name(name), self.name(space), extends, fields, methods)

    def method(self, name, *signature, flags=6, parameters=()):
        first = len(self.rows.get(8, ())) + 1
        for sequence, each in enumerate(parameters, 1):
            self.add(8, 0, sequence, self.name(each))
        return self.add(6, 0, 0, flags, self.name(name), self.blob(*signature), first)

    def field(self, name, *signature, flags=6):
        return self.add(4, flags, self.name(name), self.blob(6, *signature))

    def write(self):
        counts = {number: len(rows) for number, rows in self.rows.items()}
        body = struct.pack("<IBBBBQQ", 0, 2, 0, 7, 1, sum(1 << number for number in self.rows), 0)
        body += b"".join(struct.pack("<I", counts[number]) for number in sorted(self.rows))
        forms = tables.list_forms(7, counts)
        for number in sorted(self.rows):
            form = "<" + "".join(forms[column] for column in tables.COLUMNS[number].split())
            body += b"".join(struct.pack(form, *row) for row in self.rows[number])
        return _wrap(_metadata(body + bytes(-len(body) % 4), self._strings.data, self._blobs.data))


def _metadata(body, strings, blobs):
    head, streams = b"BSJB" + struct.pack("<HHII", 1, 1, 0, 4) + b"v4\0\0" + struct.pack("<HH", 0, 3), b""
    for name, data in ((b"#~\0\0", body), (b"#Strings\0\0\0\0", strings), (b"#Blob\0\0\0", blobs)):
        head += struct.pack("<II", 72 + len(streams), len(data)) + name
        streams += data + bytes(-len(data) % 4)
    return head + bytes(72 - len(head)) + streams


def _wrap(metadata):
    optional = struct.pack("<H", 0x10B) + bytes(90) + struct.pack("<I", 16) + bytes(14 * 8)
    optional += struct.pack("<II", 0x1000, 72) + bytes(8)
    front = b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0"
    front += struct.pack("<HHIIIHH", 0x14C, 1, 0, 0, 0, len(optional), 0) + optional
    size = 72 + len(metadata)
    front += b".text\0\0\0" + struct.pack("<IIII", size, 0x1000, size, _PLACES) + bytes(16)
    header = struct.pack("<IHHII", 72, 2, 5, 0x1048, len(metadata)) + bytes(56)
    return front + bytes(_PLACES - len(front)) + header + metadata


@pytest.fixture
def maker():
    return AssemblyMaker()
