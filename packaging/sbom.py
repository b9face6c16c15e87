#!/usr/bin/env python3
"""Prints the parts of a packed jisui as CycloneDX 1.6: sbom.py VERSION ROOT [PACKAGE.deb...]

The parts are jisui, its linked parts, and each library in ROOT/lib/jisui with its Debian package. The given packages are
unpacked next to them, in the image.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

import libraries

REPOSITORY = Path(__file__).resolve().parent.parent


def digest(path):
    return [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}]


def debian_package(program, package):
    """A package with its version, source package and address, from dpkg-query or dpkg-deb."""
    fields = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\n"
    found, version, architecture, source, source_version = (
        libraries.output(program, "--show", "--showformat", fields, package).splitlines()[0].split("\t"))
    system = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text(), re.M))
    address = f"pkg:deb/{system['ID']}/{found}@{escaped(version)}?arch={architecture}" \
              f"&distro={system['ID']}-{system['VERSION_ID']}"
    return {
        "type": "library", "bom-ref": address, "name": found, "version": version, "purl": address,
        "properties": [{"name": "debian:source", "value": f"{source} {source_version}"}],
    }


def escaped(text):
    """Text as a part of a package URL."""
    return re.sub(r"[^A-Za-z0-9.~_-]", lambda found: f"%{ord(found[0]):02X}", text)


def swift_parts():
    """The parts that are linked into the program: the Swift runtime and the packages of Package.swift."""
    runtime = re.search(r"Swift version (\S+)", subprocess.run(
        ["swift", "--version"], capture_output=True, text=True).stdout)
    parts = [("swift-runtime", runtime[1] if runtime else None, "github.com/swiftlang/swift")]
    resolved = REPOSITORY / "Package.resolved"
    pins = json.loads(resolved.read_text())["pins"] if resolved.exists() else []
    versions = {pin["identity"]: pin["state"].get("version") for pin in pins}
    manifest = (REPOSITORY / "Package.swift").read_text()
    found = re.findall(r'\.package\(url: "https://([^"]*/([^"/]+))", (?:from|exact): "([^"]+)"\)', manifest)
    if len(found) != manifest.count(".package(url:"):
        sys.exit("sbom.py does not understand the dependencies of Package.swift")
    for place, name, version in found:
        parts.append((name, versions.get(name, version), place))
    for name, version, place in parts:
        address = f"pkg:swift/{place}" + (f"@{version}" if version else "")
        part = {"type": "library", "bom-ref": address, "name": name, "purl": address,
                "licenses": [{"expression": "Apache-2.0 WITH Swift-exception"}]}
        yield part | ({"version": version} if version else {})


def main():
    version, root, others = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    packages = {}
    for name, path in libraries.closure(root).items():
        owner = libraries.package(path)
        if owner not in packages:
            packages[owner] = debian_package("dpkg-query", owner) | {"components": []}
        packages[owner]["components"].append({
            "type": "file", "bom-ref": f"lib/jisui/{name}", "name": f"lib/jisui/{name}",
            "hashes": digest(root / "lib/jisui" / name)})
    parts = list(swift_parts()) + [packages[name] for name in sorted(packages)]
    parts += [debian_package("dpkg-deb", package) for package in sorted(others)]
    own = f"pkg:generic/jisui@{version}"
    bom = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc).isoformat(),
            "component": {
                "type": "application", "bom-ref": own, "name": "jisui", "version": version, "purl": own,
                "hashes": digest(root / "bin/jisui"), "licenses": [{"expression": "GPL-3.0-or-later"}]},
        },
        "components": parts,
        "dependencies": [{"ref": own, "dependsOn": [part["bom-ref"] for part in parts]}],
    }
    # The same parts have the same number.
    bom["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom, sort_keys=True))}"
    print(json.dumps(bom, indent=1, sort_keys=True))


if __name__ == "__main__":
    main()
