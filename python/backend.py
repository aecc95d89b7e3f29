# SPDX-License-Identifier: MIT
"""Builds the Python package: a build backend for PEP 517 and PEP 660 that uses Python's standard library only.

CMake compiles the extension in a temporary folder. The wheel works with every Python from 3.9 on. The same sources
and the same compiler give the same bytes.
"""
import base64
import contextlib
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "omegapac"
SUMMARY = "PAC learning of policies for temporal-logic objectives in Markov decision processes"
CLASSIFIERS = (
    "License :: OSI Approved :: MIT License",
    "Operating System :: POSIX :: Linux",
    "Programming Language :: C",
    "Programming Language :: Python :: 3",
    "Topic :: Scientific/Engineering",
    "Typing :: Typed",
)
# The content of the source archive: files, and folders with all their files.
SOURCES = ("CHANGELOG.md", "CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml",
           "cmake", "examples/models", "examples/policies", "include", "python", "src")
STAMP = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can store


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(omegapac\s+VERSION\s+([0-9.]+)", text).group(1)


# ---- requirements ----

def compiles(command, program):
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch, "try.c")
        source.write_text(program)
        run = subprocess.run([*command, "-o", str(source.with_suffix("")), str(source)],
                             capture_output=True, check=False)
        return run.returncode == 0


def missing():
    """The missing Debian packages that the build needs."""
    compiler = os.environ.get("CC", "cc").split()
    if not shutil.which(compiler[0]) or not compiles(compiler, "int main(void){return 0;}\n"):
        yield from ("gcc", "libc6-dev")
    if not shutil.which("cmake"):
        yield "cmake"
    if not shutil.which("make") and not shutil.which("ninja"):
        yield "make"
    headers = pathlib.Path(sysconfig.get_path("include"), "Python.h")
    platform_headers = pathlib.Path(sysconfig.get_path("platinclude"), "Python.h")
    if not headers.is_file() and not platform_headers.is_file():
        yield "python3-dev"


def check():
    packages = list(missing())
    if packages:
        raise SystemExit("omegapac is compiled from C, and a part of the toolchain is missing; "
                         f"on Debian run: apt-get install {' '.join(packages)}")


# ---- compiling ----

def run(command, **more):
    """Runs a command; if it fails, prints the end of its output and exits."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.stderr.write("\n".join(done.stdout.splitlines()[-40:]) + "\n")
        raise SystemExit(f"{command[0]} failed with status {done.returncode}")


def prefix_map(folder):
    """The compiler option that keeps the folder's path out of the binary; "" if the path has special characters."""
    return f'"-ffile-prefix-map={folder}=."' if re.fullmatch(r"[\w/ .,:=+@%~-]+", str(folder)) else ""


def compile_package(folder):
    """Compiles into a folder, and returns the folder of the complete package."""
    check()
    flags = f"{os.environ.get('CFLAGS', '')} {prefix_map(ROOT)}".strip()
    run(["cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
         "-DOMEGAPAC_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}", f"-DCMAKE_C_FLAGS={flags}",
         "-DCMAKE_MODULE_LINKER_FLAGS=-s"])
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    run(["cmake", "--build", str(folder), "--parallel", jobs, "--target", "omegapac_python"])
    return pathlib.Path(folder, "python", NAME)


# ---- wheels ----

def metadata():
    lines = ["Metadata-Version: 2.1", f"Name: {NAME}", f"Version: {version()}", f"Summary: {SUMMARY}",
             "License: MIT", *(f"Classifier: {c}" for c in CLASSIFIERS), "Requires-Python: >=3.9",
             "Description-Content-Type: text/markdown; charset=UTF-8", ""]
    return "\n".join(lines) + "\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def tag():
    platform = re.sub(r"[^A-Za-z0-9]", "_", sysconfig.get_platform())
    return f"cp39-abi3-{platform}"


def about():
    """The files of the .dist-info folder except RECORD: {name: bytes}."""
    wheel = f"Wheel-Version: 1.0\nGenerator: omegapac\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    return {"METADATA": metadata().encode(), "WHEEL": wheel.encode(),
            "LICENSE": (ROOT / "LICENSE").read_bytes()}


def info_folder():
    return f"{NAME}-{version()}.dist-info"


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"


def write_wheel(folder, files):
    """Writes a wheel with the files {name: bytes} and returns its name."""
    files = {**files, **{f"{info_folder()}/{name}": data for name, data in about().items()}}
    record = f"{info_folder()}/RECORD"
    lines = [record_line(name, data) for name, data in sorted(files.items())] + [f"{record},,"]
    files[record] = ("\n".join(lines) + "\n").encode()
    name = f"{NAME}-{version()}-{tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(folder, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, STAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if path.endswith(".so") else 0o100644) << 16
            archive.writestr(entry, data)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    del config_settings, metadata_directory
    with tempfile.TemporaryDirectory() as scratch:
        package = compile_package(scratch)
        files = {f"{NAME}/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    return write_wheel(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds an editable wheel: Python files are those of the repository, the extension is in build/editable."""
    del config_settings, metadata_directory
    package = compile_package(ROOT / "build" / "editable")
    return write_wheel(wheel_directory, {f"{NAME}.pth": f"{package.parent}\n".encode()})


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    del config_settings
    folder = pathlib.Path(metadata_directory, info_folder())
    folder.mkdir()
    for name, data in about().items():
        (folder / name).write_bytes(data)
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


# ---- source archives ----

def source_files():
    for name in SOURCES:
        path = ROOT / name
        yield from [path] if path.is_file() else sorted(
            file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)


def build_sdist(sdist_directory, config_settings=None):
    del config_settings
    base = f"{NAME}-{version()}"
    files = {str(path.relative_to(ROOT)): path for path in source_files()}
    target = pathlib.Path(sdist_directory, f"{base}.tar.gz")
    with contextlib.closing(tarfile.open(target, "w:gz", format=tarfile.PAX_FORMAT)) as archive:
        for name, path in files.items():
            archive.add(path, f"{base}/{name}", recursive=False)
        data = metadata().encode()
        entry = tarfile.TarInfo(f"{base}/PKG-INFO")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return target.name


# No build requires other packages.
def get_requires_for_build_wheel(config_settings=None):
    del config_settings
    return []


get_requires_for_build_editable = get_requires_for_build_wheel
get_requires_for_build_sdist = get_requires_for_build_wheel
