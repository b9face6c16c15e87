#!/usr/bin/env python3
"""The shared libraries of jisui and their Debian packages.

libraries.py late                    print the packages of late-libraries.txt for debian/control, by relation
libraries.py copy ROOT               copy the libraries that the programs in ROOT need into ROOT/lib/jisui, with licenses
libraries.py list ROOT               print the libraries that the programs in ROOT need, and their packages
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Parts of the C library, which must match the system's loader. They are never copied.
SYSTEM = re.compile(r"ld-linux|lib(c|m|dl|rt|pthread|resolv|util|anl|mvec|nss_.*|BrokenLocale|thread_db)\.so")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def late():
    """(beginning of the file name, relation) of each library that is loaded late."""
    lines = [line.split() for line in (HERE / "late-libraries.txt").read_text().splitlines()]
    listed = [tuple(line) for line in lines if line and not line[0].startswith("#")]
    used = set()
    for source in (HERE.parent / "Sources").glob("C*/*.c"):
        text = source.read_text()
        if "dlopen(" in text:
            used |= set(re.findall(r'"(lib[\w-]+\.so[^"%]*)', text))
    if used != {name for name, _ in listed}:
        sys.exit(f"late-libraries.txt does not match the calls of dlopen in Sources: {sorted(used)}")
    return listed


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", "--wide", str(path)))


def cache():
    """{file name: path} of the libraries that the loader finds."""
    found = {}
    folder = f"/{output('dpkg-architecture', '--query', 'DEB_HOST_MULTIARCH').strip()}/"
    for name, path in re.findall(r"^\s+(\S+) \(libc6.*\) => (\S+)$", output("/sbin/ldconfig", "-p"), re.M):
        if folder in path:
            found.setdefault(name, path)
    return found


def version_order(name):
    return [int(part) for part in re.findall(r"\d+", name)]


def closure(root):
    """{file name: path} of all libraries that programs below a folder load, without the C library, in order of names."""
    known = cache()
    wanted = [name for program in sorted(Path(root).rglob("*")) if is_elf(program) for name in needed(program)]
    for beginning, _ in late():
        names = sorted((name for name in known if name.startswith(beginning)), key=version_order)
        if not names:
            sys.exit(f"{beginning} is not installed; run make deps")
        wanted.append(names[-1])
    found = {}
    while wanted:
        name = wanted.pop()
        if name in found or SYSTEM.match(name):
            continue
        if name not in known:
            sys.exit(f"{name} is not installed")
        found[name] = known[name]
        wanted += needed(known[name])
    return dict(sorted(found.items()))


def package(path):
    """The Debian package of a file."""
    real = os.path.realpath(path)
    for name in (real, real.removeprefix("/usr")):
        run = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
        if run.returncode == 0:
            return run.stdout.split(":")[0]
    sys.exit(f"{path} is not part of a Debian package")


def print_late():
    known, relations = cache(), {}
    for beginning, relation in late():
        names = sorted((name for name in known if name.startswith(beginning)), key=version_order)
        if not names:
            sys.exit(f"{beginning} is not installed; run make deps")
        relations.setdefault(relation, []).append(package(known[names[-1]]))
    for relation, packages in sorted(relations.items()):
        print(f"{relation.upper()}={', '.join(sorted(packages))}")


def copy(root):
    libraries = closure(root)
    target = root / "lib/jisui"
    licenses = root / "share/doc/jisui/licenses"
    licenses.mkdir(parents=True, exist_ok=True)
    for program in root.rglob("*"):
        if is_elf(program):
            back = os.path.relpath(target, program.parent)
            output("patchelf", "--set-rpath", "$ORIGIN" if back == "." else f"$ORIGIN/{back}", str(program))
    for name, path in libraries.items():
        shutil.copyfile(os.path.realpath(path), target / name)
        output("strip", "--strip-unneeded", str(target / name))
        output("patchelf", "--set-rpath", "$ORIGIN", str(target / name))
        (target / name).chmod(0o644)
        owner = package(path)
        shutil.copyfile(f"/usr/share/doc/{owner}/copyright", licenses / owner)
    copy_common_licenses(licenses)


def copy_common_licenses(licenses):
    """Copies the texts that the copyright files name instead of containing them. Other systems than Debian lack them."""
    common = Path("/usr/share/common-licenses")
    texts = [file.read_text(errors="replace") for file in licenses.iterdir() if file.is_file()]
    named = {name for text in texts for name in re.findall(rf"{common}/([\w.+-]*\w)", text)}
    (licenses / "common-licenses").mkdir(exist_ok=True)
    # Some copyright files name a text that Debian does not have.
    for name in sorted(name for name in named if (common / name).is_file()):
        shutil.copyfile(common / name, licenses / "common-licenses" / name)


def main():
    match sys.argv[1:]:
        case ["late"]:
            print_late()
        case ["copy", root]:
            copy(Path(root))
        case ["list", root]:
            for name, path in closure(root).items():
                print(name, package(path))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
