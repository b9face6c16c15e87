"""Compares folds that were found with the truth that make_spreads.py wrote.

    score_folds.py folds.truth.json found.json

found.json is what `jisui … --spreads split --keep-art --dry-run --spread-file found.json` writes. Prints one line for each
page that went wrong, then the sums; ends with 1 if a page is missing.

off     the fold is further than 1 % of the width from the true one; crossed pages, which are not cut, do not count
kept    two pages were taken for one drawing
parted  one drawing was taken for two pages
"""

import argparse
import json
import sys

TOLERANCE = 0.01


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=argparse.FileType())
    parser.add_argument("found", type=argparse.FileType())
    wanted = parser.parse_args()
    found = {cut["sources"][0]: cut for cut in json.load(wanted.found)["spreads"] if "fold" in cut}
    pages = json.load(wanted.truth)["pages"]
    faults = {"off": [], "kept": [], "parted": [], "missing": []}
    errors = []
    for page in pages:
        mine = found.get(page["page"])
        if mine is None:
            faults["missing"].append((page, "was not found"))
            continue
        share, true = mine["fold"] / mine["size"][0], page["fold"] / page["width"]
        if page["crossed"] == mine["split"]:
            faults["parted" if page["crossed"] else "kept"].append((page, f"{share:.4f}"))
        if not page["crossed"]:
            errors.append(abs(share - true))
            if errors[-1] > TOLERANCE:
                faults["off"].append((page, f"at {share:.4f}, not {true:.4f}"))
    for kind, some in faults.items():
        for page, note in some:
            print(f"{kind:8}{page['page']}  {note}  ({page['what']}; shade: {page['shade']}; slant: {page['slant']}°)")
    crossed = sum(page["crossed"] for page in pages)
    right = len(errors) - len(faults["off"])
    mean = sum(errors) / max(1, len(errors))
    print(f"within {TOLERANCE:.0%} of the width: {right} of {len(pages) - crossed}; mean error {mean:.2%}, ", end="")
    print(f"largest {max(errors, default=0):.2%}")
    print(f"two pages kept as one: {len(faults['kept'])} of {len(pages) - crossed}")
    print(f"one drawing parted: {len(faults['parted'])} of {crossed}")
    sys.exit(1 if faults["missing"] else 0)


if __name__ == "__main__":
    main()
