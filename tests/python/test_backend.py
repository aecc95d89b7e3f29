# SPDX-License-Identifier: MIT
"""The build backend of `pip install`, without compiling."""
import base64
import hashlib
import os
import pathlib
import shlex
import sys
import tarfile
import unittest
import zipfile
from unittest import mock

from support import SOURCE, Scratch, full

sys.path.insert(0, str(SOURCE / "python"))
import backend  # noqa: E402


class Backend(Scratch):
    def test_wheel(self):
        name = backend.write_wheel(self.folder, {"omegapac/x.py": b"x = 1\n", "omegapac/_core.abi3.so": b"\x7fELF"})
        self.assertRegex(name, r"^omegapac-[0-9.]+-cp39-abi3-\w+\.whl$")
        with zipfile.ZipFile(self.folder / name) as archive:
            names = archive.namelist()
            info = backend.info_folder()
            record = archive.read(f"{info}/RECORD").decode().splitlines()
            self.assertEqual(len(record), len(names))
            for line in record:
                path, digest, size = line.split(",")
                if path.endswith("RECORD"):
                    self.assertEqual((digest, size), ("", ""))
                    continue
                data = archive.read(path)
                expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, int(size)), (f"sha256={expected}", len(data)))
            text = archive.read(f"{info}/METADATA").decode()
            self.assertIn("\nName: omegapac\n", text)
            self.assertIn("\nRequires-Python: >=3.9\n", text)
            self.assertTrue(text.rstrip().endswith((SOURCE / "README.md").read_text().rstrip()))
        again = backend.write_wheel(self.folder, {"omegapac/x.py": b"x = 1\n", "omegapac/_core.abi3.so": b"\x7fELF"})
        self.assertEqual(again, name)

    def test_metadata_is_that_of_pyproject(self):
        text = (SOURCE / "pyproject.toml").read_text()
        self.assertIn(f'description = "{backend.SUMMARY}"', text)
        for classifier in backend.CLASSIFIERS:
            self.assertIn(f'"{classifier}"', text)
        self.assertIn("requires = []", text)

    def test_folders_of_any_name(self):
        """A path with a space is a single argument; a path with characters special to make or a shell is not passed."""
        self.assertEqual(shlex.split(backend.prefix_map("/my source/x")), ["-ffile-prefix-map=/my source/x=."])
        for odd in ("/a$b", '/a"b', "/a`b`", "/a\\b", "/a#b", "/a'b", "/a;b"):
            self.assertEqual(backend.prefix_map(odd), "", odd)

    @full
    def test_source_archive(self):
        name = backend.build_sdist(self.folder)
        with tarfile.open(self.folder / name) as archive:
            names = {entry.split("/", 1)[1] for entry in archive.getnames()}
        for needed in ("CMakeLists.txt", "pyproject.toml", "python/backend.py", "python/src/core.h", "README.md",
                       "src/base/alloc.c", "include/omegapac/version.h.in", "cmake/CompileOptions.cmake", "PKG-INFO",
                       "python/omegapac/py.typed", "LICENSE"):
            self.assertIn(needed, names)
        self.assertFalse([name for name in names if name.endswith((".pyc", ".o", ".so"))])

    def test_what_is_missing_is_named(self):
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            with self.assertRaises(SystemExit) as caught:
                backend.check()
        for package in ("gcc", "cmake", "make"):
            self.assertIn(f" {package}", str(caught.exception))
        with mock.patch("sysconfig.get_path", return_value=str(self.folder)):
            self.assertIn("python3-dev", list(backend.missing()))

    def test_metadata_alone(self):
        name = backend.prepare_metadata_for_build_wheel(self.folder)
        self.assertTrue(pathlib.Path(self.folder, name, "METADATA").is_file())
        self.assertEqual(backend.get_requires_for_build_wheel(), [])


if __name__ == "__main__":
    unittest.main()
