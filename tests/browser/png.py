# SPDX-License-Identifier: MIT
"""Makes a PNG of a browser smaller, by the standard library alone: the 256 colours that are most
frequent, and the nearest of them in place of the others. Of a page, those are edges of letters."""
import collections
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        (length,) = struct.unpack(">I", data[at:at + 4])
        yield data[at + 4:at + 8], data[at + 8:at + 8 + length]
        at += 12 + length


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def unfilter(kind, line, above, size):
    """A row of bytes from what was stored of it (PNG, section 9)."""
    out = bytearray(line)
    for i, byte in enumerate(out):
        a = out[i - size] if i >= size else 0
        b = above[i]
        c = above[i - size] if i >= size else 0
        if kind == 1:
            byte += a
        elif kind == 2:
            byte += b
        elif kind == 3:
            byte += (a + b) // 2
        elif kind == 4:
            pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            byte += a if pa <= pb and pa <= pc else b if pb <= pc else c
        out[i] = byte & 255
    return out


def pixels(data):
    """Width, and rows of (red, green, blue)."""
    parts = {}
    for kind, body in chunks(data):
        parts[kind] = parts.get(kind, b"") + body
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    if depth != 8 or colour not in (2, 6) or interlaced:
        raise ValueError("a PNG of another kind than browsers write")
    size = 3 if colour == 2 else 4
    raw, above, rows = zlib.decompress(parts[b"IDAT"]), bytes(width * size), []
    for y in range(height):
        start = y * (width * size + 1)
        above = unfilter(raw[start], raw[start + 1:start + 1 + width * size], above, size)
        rows.append([tuple(above[i:i + 3]) for i in range(0, len(above), size)])
    return width, rows


def reduce(data):
    width, rows = pixels(data)
    count = collections.Counter(colour for row in rows for colour in row)
    colours = [colour for colour, _ in count.most_common(256)]
    number = {colour: i for i, colour in enumerate(colours)}
    for colour in count:
        if colour not in number:
            number[colour] = min(range(len(colours)), key=lambda i: sum(
                (a - b) ** 2 for a, b in zip(colour, colours[i])))
    lines = b"".join(b"\0" + bytes(number[colour] for colour in row) for row in rows)
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)
    return (SIGNATURE + chunk(b"IHDR", header) + chunk(b"PLTE", bytes(v for c in colours for v in c)) +
            chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))
