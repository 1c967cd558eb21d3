"""Bytes to text as PEP 263 says, and the same bytes back."""

from __future__ import annotations

import codecs
import encodings.aliases
import io
import tokenize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.text import Decoded, UndecodableError, decode, encode
from tests.examples import examples

READ = {
    "nothing": (b"", "", "utf-8"),
    "ASCII": (b"x = 1\n", "x = 1\n", "utf-8"),
    "UTF-8": ("ä🐍".encode(), "ä🐍", "utf-8"),
    "byte order mark": (b"\xef\xbb\xbf" + "ä".encode(), "ä", "utf-8"),
    "two byte order marks": (b"\xef\xbb\xbf\xef\xbb\xbfx", "\ufeffx", "utf-8"),
    "line breaks stay": (b"a\r\nb\rc\n", "a\r\nb\rc\n", "utf-8"),
    "cookie": (b"# coding: latin-1\n\xe4", "# coding: latin-1\nä", "iso8859-1"),
    "cookie of Emacs": (b"# -*- coding: cp1252 -*-\n\x80", "# -*- coding: cp1252 -*-\n€", "cp1252"),
    "cookie of Vim": (b"# vim: set fileencoding=cp1252 :\n\x80", "# vim: set fileencoding=cp1252 :\n€", "cp1252"),
    "cookie in the second line": (b"#!x\n# coding=cp1252\n\x80", "#!x\n# coding=cp1252\n€", "cp1252"),
    "cookie after a blank line": (b" \f\n# coding=cp1252\n\x80", " \f\n# coding=cp1252\n€", "cp1252"),
    "cookie after CRLF": (b"#\r\n# coding=cp1252\r\n\x80", "#\r\n# coding=cp1252\r\n€", "cp1252"),
    "cookie after CR": (b"#\r# coding=cp1252\r\x80", "#\r# coding=cp1252\r€", "cp1252"),
    "cookie after a form feed": (b"\f# coding=cp1252\n\x80", "\f# coding=cp1252\n€", "cp1252"),
    "cookie in the third line": (b"#\n#\n# coding: latin-1\n\xc3\xa4", "#\n#\n# coding: latin-1\nä", "utf-8"),
    "cookie after code": (b"x = 1\n# coding: latin-1\n\xc3\xa4", "x = 1\n# coding: latin-1\nä", "utf-8"),
    "cookie behind code": (b"x = 1 # coding: latin-1\n\xc3\xa4", "x = 1 # coding: latin-1\nä", "utf-8"),
    "cookie in a string": (b'"# coding: latin-1"\n\xc3\xa4', '"# coding: latin-1"\nä', "utf-8"),
    "two cookies": (b"# coding: cp1252\n# coding: utf-8\n\x80", "# coding: cp1252\n# coding: utf-8\n€", "cp1252"),
    "upper case and underscores": (b"# coding: UTF_8\n\xc3\xa4", "# coding: UTF_8\nä", "utf-8"),
    "a variant of UTF-8": (b"# coding: utf-8-unix\n\xc3\xa4", "# coding: utf-8-unix\nä", "utf-8"),
    "a variant of Latin-1": (b"# coding: latin-1-dos\n\xe4", "# coding: latin-1-dos\nä", "iso8859-1"),
    "several bytes a character": (b"# coding: shift_jis\n\x83\x86", "# coding: shift_jis\nユ", "shift_jis"),
    "NUL far inside": (b"#" * 9000 + b"\0", "#" * 9000 + "\0", "utf-8"),
}


@pytest.mark.parametrize(("data", "text", "encoding"), READ.values(), ids=READ)
def test_what_python_reads(data: bytes, text: str, encoding: str) -> None:
    decoded = decode(data)
    assert (decoded.text, decoded.encoding, decoded.notices) == (text, encoding, ())
    assert decoded.bom == data.startswith(codecs.BOM_UTF8)
    assert encode(text, decoded) == data


REFUSED = {
    "a byte that is not UTF-8": (b"a\n b\xff", "a\n b\udcff", (1, 2), "byte 0xff is not in the encoding of the file"),
    "several": (
        b"\x80\xff\n\xfe",
        "\udc80\udcff\n\udcfe",
        (0, 0),
        "byte 0x80 is not in the encoding of the file, and 2",
    ),
    "a cut character": (b"\xf0\x9f\x90", "\udcf0\udc9f\udc90", (0, 0), "byte 0xf0"),
    "a surrogate in UTF-8": (b"\xed\xa0\x80", "\udced\udca0\udc80", (0, 0), "byte 0xed"),
    "a byte that the cookie's encoding lacks": (b"# coding: cp1252\n\x81", "# coding: cp1252\n\udc81", (1, 0), "0x81"),
    "an unknown encoding": (
        b"# coding: klingon\n\xc3\xa4",
        "# coding: klingon\nä",
        (0, 0),
        "unknown encoding 'klingon'",
    ),
    "an unknown one in line two": (b"#!x\n# coding: klingon\n", "#!x\n# coding: klingon\n", (1, 0), "'klingon'"),
    "no encoding of text": (b"# coding: hex\n", "# coding: hex\n", (0, 0), "unknown encoding 'hex'"),
    "a lossy encoding": (b"# coding: utf-7\n+AGE-", "# coding: utf-7\n+AGE-", (0, 0), "unknown encoding 'utf-7'"),
    "UTF-16 by a cookie": (b"# coding: utf-16\n", "# coding: utf-16\n", (0, 0), "unknown encoding 'utf-16'"),
    "mark against cookie": (
        b"\xef\xbb\xbf# coding: cp1252\n",
        "# coding: cp1252\n",
        (0, 0),
        "byte order mark says UTF-8",
    ),
    "UTF-16-LE": (b"\xff\xfe" + "ä🐍".encode("utf-16-le"), "ä🐍", (0, 0), "the file is UTF-16-LE"),
    "UTF-16-BE": (b"\xfe\xff" + "ä🐍".encode("utf-16-be"), "ä🐍", (0, 0), "the file is UTF-16-BE"),
    "UTF-32-LE": (b"\xff\xfe\0\0" + "ä🐍".encode("utf-32-le"), "ä🐍", (0, 0), "the file is UTF-32-LE"),
    "UTF-32-BE": (b"\0\0\xfe\xff" + "ä🐍".encode("utf-32-be"), "ä🐍", (0, 0), "the file is UTF-32-BE"),
    "a lone surrogate in UTF-16": (b"\xff\xfe\x00\xd8a\0", "\ud800a", (0, 0), "the file is UTF-16-LE"),
}


@pytest.mark.parametrize(("data", "text", "place", "message"), REFUSED.values(), ids=REFUSED)
def test_what_python_refuses_is_read_and_told(data: bytes, text: str, place: tuple[int, int], message: str) -> None:
    decoded = decode(data)
    (notice,) = decoded.notices
    assert decoded.text == text
    assert message in notice.message
    assert (notice.range.start.line, notice.range.start.character) == place
    assert encode(decoded.text, decoded) == data


BINARY = {
    "NUL": (b"x = 1\0", "NUL bytes"),
    "UTF-16 without a mark": ("x = 1".encode("utf-16-le"), "UTF-16 without a byte order mark"),
    "half a character of UTF-16": (b"\xff\xfea", "starts like UTF-16-LE"),
    "no character of UTF-32": (b"\xff\xfe\0\0\xff\xff\xff\xff", "starts like UTF-32-LE"),
    "NUL after a mark": (b"\xef\xbb\xbf\0", "NUL bytes"),
}


@pytest.mark.parametrize(("data", "message"), BINARY.values(), ids=BINARY)
def test_binary_files_are_no_text(data: bytes, message: str) -> None:
    with pytest.raises(UndecodableError, match=message):
        decode(data)


def test_a_character_that_the_file_cannot_hold() -> None:
    decoded = decode(b"# coding: latin-1\n")
    with pytest.raises(UnicodeEncodeError):
        encode(decoded.text + "€", decoded)


@pytest.mark.parametrize(
    "codec", sorted(set(encodings.aliases.aliases.values()) | {"undefined", "idna", "mbcs", "oem"})
)
def test_every_codec_of_python_gives_the_same_bytes_back(codec: str) -> None:
    data = f"# coding: {codec}\n".encode() + bytes(range(1, 256))
    decoded = decode(data)
    assert encode(decoded.text, decoded) == data


LINE = st.lists(
    st.sampled_from(
        [b"#", b" ", b"\t", b"\f", b"coding", b":", b"=", b"utf-8", b"latin-1", b"cp1252", b"x", b'"', b"-*-"]
    )
    | st.sampled_from([b"UTF_8", b"latin_1-x", b"iso-8859-15", b"nonsense", b"ascii", b"coding=cp437"]),
    max_size=7,
).map(b"".join)


@examples(400)
@given(st.lists(LINE, max_size=3), st.sampled_from([b"\n", b"\r\n"]), st.booleans())
def test_cookies_are_those_of_pythons_own_tokenizer(lines: list[bytes], newline: bytes, mark: bool) -> None:
    data = newline.join(lines)
    if mark:
        data = codecs.BOM_UTF8 + data
    decoded = decode(data)
    try:
        name, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:
        assert decoded.notices
        return
    assert codecs.lookup(decoded.encoding).name == codecs.lookup(name.removesuffix("-sig")).name
    assert decoded.notices == ()


@examples(400)
@given(
    st.sampled_from([b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE])
    | st.sampled_from([b"# coding: latin-1\n", b"# coding: shift_jis\n", b"# coding: utf-7\n", b"# coding: gb18030\n"]),
    st.binary(max_size=40) | st.text(max_size=20).map(str.encode),
)
def test_any_bytes_come_back(start: bytes, rest: bytes) -> None:
    try:
        decoded = decode(start + rest)
    except UndecodableError:
        assert b"\0" in start + rest or len(rest) % 2 or start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return
    assert encode(decoded.text, decoded) == start + rest


@examples(200)
@given(
    st.text().filter(lambda text: not text.startswith("\0")),
    st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]),
)
def test_any_text_with_a_mark_comes_back(text: str, encoding: str) -> None:
    data = encode(text, Decoded(text, encoding, bom=True))
    try:
        decoded = decode(data)
    except UndecodableError:
        assert "\0" in text
        return
    assert (decoded.text, decoded.encoding, decoded.bom) == (text, encoding, True)
