"""Finds the metadata streams in the bytes of a portable executable (ECMA-335, II.24 and II.25)."""

from __future__ import annotations

from struct import unpack_from

MOST_BYTES = 256 << 20
_MOST_SECTIONS = 96
_MOST_STREAMS = 16
_LONGEST_STREAM_NAME = 32

_LFANEW = 60
_SIGNATURE = b"PE\0\0"
_FILE_HEADER = 24  # with the signature before it
_PE32 = 0x10B
_DIRECTORIES = {True: 96, False: 112}  # where the data directories begin, in PE32 and in PE32+
_CLI_DIRECTORY = 14
_SECTION = 40
_SECTION_SIZES = 8


class BadMetadataError(Exception):
    """The file is no .NET assembly, or a damaged or hostile one."""


def find_streams(data: bytes) -> dict[bytes, bytes]:
    """The streams of the metadata by name, such as `#Strings`.

    Raises:
        BadMetadataError: The file is no .NET assembly.
        struct.error: It ends before it should.
        ValueError: A name in it has no end.
    """
    if len(data) > MOST_BYTES:
        raise BadMetadataError("larger than 256 MB")
    metadata = _cut_metadata(data)
    if metadata[:4] != b"BSJB":
        raise BadMetadataError("no metadata")
    at = 16 + unpack_from("<I", metadata, 12)[0]
    streams: dict[bytes, bytes] = {}
    (count,) = unpack_from("<H", metadata, at + 2)
    at += 4
    for _ in range(min(count, _MOST_STREAMS)):
        start, length = unpack_from("<II", metadata, at)
        name_at = at + 8
        end = metadata.index(0, name_at, name_at + _LONGEST_STREAM_NAME + 1)
        streams.setdefault(bytes(metadata[name_at:end]), metadata[start : start + length])
        at = name_at + ((end - name_at) // 4 + 1) * 4
    return streams


def _cut_metadata(data: bytes) -> bytes:
    if data[:2] != b"MZ":
        raise BadMetadataError("no PE file")
    (start,) = unpack_from("<I", data, _LFANEW)
    if data[start : start + 4] != _SIGNATURE:
        raise BadMetadataError("no PE file")
    (section_count,) = unpack_from("<H", data, start + 6)
    (optional_size,) = unpack_from("<H", data, start + 20)
    optional = start + _FILE_HEADER
    (magic,) = unpack_from("<H", data, optional)
    directories = optional + _DIRECTORIES[magic == _PE32]
    (directory_count,) = unpack_from("<I", data, directories - 4)
    (cli,) = unpack_from("<I", data, directories + 8 * _CLI_DIRECTORY)
    if directory_count <= _CLI_DIRECTORY or not cli:
        raise BadMetadataError("no .NET assembly")
    table = optional + optional_size
    sections = [
        unpack_from("<IIII", data, table + _SECTION * n + _SECTION_SIZES)
        for n in range(min(section_count, _MOST_SECTIONS))
    ]
    address, size = unpack_from("<II", data, _find_offset(sections, cli) + 8)
    at = _find_offset(sections, address)
    return data[at : at + size]


def _find_offset(sections: list[tuple[int, ...]], address: int) -> int:
    """Where in the file a relative virtual address stands."""
    for size, start, raw_size, at in sections:
        if start <= address < start + max(size, raw_size):
            return address - start + at
    raise BadMetadataError("an address outside the file")
