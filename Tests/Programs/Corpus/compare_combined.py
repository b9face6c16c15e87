#!/usr/bin/env python3
"""Combine random pairs of PDFs with jisui, and compare each result with its sources by other people's programs.

    compare_combined.py JISUI FOLDER [--pairs 300] [--seed 1] [--way combine|merge|select] [--only WORD]
                        [--timeout 60] [--jobs 1] [--out report.tsv] [--keep DIR]

FOLDER is searched for PDFs. `merge` merges the spreads of each PDF instead, and `select` takes some of its pages; there --pairs is
the number of files. Compared are the words of each page, links, outline, page labels, form fields, layers, tags, pixels at 20
pixels an inch by poppler and by mupdf, and what qpdf --check says (pdf_facts.py). What a program cannot read in a source is not
compared. A table tells how often each was compared, equal, and different; before it stands a line for each difference. The exit
status is 1 if there is one.

Refused pairs need one line of error that names a file, no output, and that jisui refuses the file by itself, too.
"""

import argparse
import collections
import concurrent.futures
import functools
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from pdf_facts import facts

FACTS = "pages words links outline labels fields widgets layers tags marked poppler mupdf check".split()
SEVERITY = [0, 3, 2]  # of what qpdf --check says with its exit status
MOST_DIFFERENT = 0.5  # of 255, of the samples of a page on average


class Refused(Exception):
    pass


def convert(jisui, arguments, made, timeout):
    """What jisui says; raises Refused."""
    try:
        done = subprocess.run(
            [jisui, *map(str, arguments), "-o", str(made), "--quiet"], stdin=subprocess.DEVNULL, capture_output=True,
            timeout=timeout,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Refused("took too long") from None
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode in (0, 3) and made.exists():
        return said
    if done.returncode != 1 or made.exists():
        raise Refused(f"exit {done.returncode}: {said}")
    raise Refused(said)


def are_part(lines, of):
    """Whether lines of tags stand in others, in this order. Of an element on two pages, one has only a part of the text."""
    left = iter(of)
    return all(any(line == other or is_part(line, other) for other in left) for line in lines)


def is_part(line, of):
    line, of = line.strip(), of.strip()
    return line[:1] == of[:1] == '"' and line[1:-1].strip() in of


def shifted(links, by):
    """Links as they are when their book begins at a later page."""
    return [[(*link[:2], (link[2][0] + by, link[2][1])) if link[1] == "page" else link for link in page] for page in links]


def unequal_pages(one, other):
    """The pages, from 1, whose pixels differ."""
    if len(one) != len(other):
        return ["number"]
    found = []
    for number, (a, b) in enumerate(zip(one, other), 1):
        if a == b:
            continue
        if a[:2] != b[:2] or sum(abs(x - y) for x, y in zip(a[2], b[2])) > MOST_DIFFERENT * len(a[2]):
            found.append(number)
    return found


def base(name):
    """A field's name without what qpdf adds where it is taken."""
    return re.sub(r"\+\d+(?=\.|$)", "", name)


def is_top(line):
    return not line.startswith(" ")


def joined(sources, name):
    return [item for source in sources for item in source[name]]


def differs(name, sources, made):
    """How a fact of pages that were put one after the other differs; "" if it does not."""
    if name == "pages":
        wanted = sum(source["pages"] for source in sources)
        return "" if made["pages"] == wanted else f"{wanted} became {made['pages']}"
    if name == "links":
        wanted, before = [], 0
        for source in sources:
            wanted += shifted(source["links"], before)
            before += source["pages"]
        return first_difference(wanted, made["links"])
    if name == "outline":
        wanted, before = [], 0
        for source in sources:
            wanted += [(title, place + before) for title, _, place in source["outline"] if place is not None]
            before += source["pages"]
        found = [(title, place) for title, _, place in made["outline"]]
        left = iter(found)
        lost = next((line for line in wanted if not any(line == other for other in left)), None)
        return f"{lost!r:.90} is not in its place among {len(found)}" if lost else ""
    if name == "labels":
        if all(source["labels"] is None for source in sources):
            return "" if made["labels"] is None else "labels where there were none"
        found, before = made["labels"] or [], 0
        for source in sources:
            if source["labels"] and source["labels"] != found[before : before + source["pages"]]:
                return first_difference(source["labels"], found[before : before + source["pages"]])
            before += source["pages"]
        return ""
    if name == "fields":
        wanted, found = joined(sources, "fields"), made["fields"]
        wanted, found = (sorted((base(field), value or "") for field, value in all_) for all_ in (wanted, found))
        return first_difference(wanted, found)
    if name == "tags":
        wanted = joined(sources, name)
        if sum(any(is_top(line) for line in source[name]) for source in sources) > 1:
            wanted = ["Document", *("  " + line for line in wanted)]
        return first_difference(wanted, made[name])
    if name == "layers":
        return first_difference(sorted(joined(sources, "layers"), key=str), sorted(made["layers"], key=str))
    if name == "marked":
        tagged = [source["marked"] for source in sources]
        return "" if made["marked"] == all(tagged) else f"{tagged} became {made['marked']}"
    if name in ("poppler", "mupdf"):
        pages = unequal_pages(joined(sources, name), made[name])
        return f"pages {', '.join(map(str, pages[:8]))}" if pages else ""
    if name == "check":
        worst = max((source["check"] for source in sources), key=SEVERITY.index)
        is_worse = SEVERITY.index(made["check"]) > SEVERITY.index(worst)
        return f"{worst} became {made['check']}" if is_worse else ""
    return first_difference(joined(sources, name), made[name])


def first_difference(wanted, found):
    if wanted == found:
        return ""
    for index, (one, other) in enumerate(zip(wanted, found)):
        if one != other:
            return f"{index + 1}: {one!r:.90} became {other!r:.90}"
    return f"{len(wanted)} became {len(found)}"


def bag_differs(name, source, made):
    """How a fact of a book differs whose pages were merged; None for what is not compared then."""
    def bag(items):
        return collections.Counter(items)

    if name == "words":
        wanted, found = (bag(word for page in one["words"] for word in page) for one in (source, made))
    elif name == "links":
        wanted, found = (bag((link[1], link[2] if link[1] == "uri" else "") for page in one["links"] for link in page)
                         for one in (source, made))  # fmt: skip
    elif name == "outline":
        wanted, found = (bag(line[:2] for line in one["outline"] if line[2] is not None) for one in (source, made))
    elif name == "tags":
        wanted, found = (bag(line.strip() for line in one["tags"]) for one in (source, made))
    elif name == "widgets":
        wanted, found = bag({"": sum(source["widgets"])}), bag({"": sum(made["widgets"])})
    elif name in ("fields", "layers", "marked", "check"):
        return differs(name, [source], made)
    else:
        return None
    lost, new = wanted - found, found - wanted
    return "" if not lost and not new else f"lost {dict(lost.most_common(3))!s:.90}, new {dict(new.most_common(3))!s:.90}"


def selected(source, kept):
    """What a book of some pages of a source should have; facts that cannot be told from the source are left out."""
    places = {page: place for place, page in enumerate(kept)}
    wanted = dict(source, pages=len(kept), layers=None, fields=None)
    for name in ("words", "labels", "widgets", "poppler", "mupdf"):
        if source[name] is not None:
            wanted[name] = [source[name][page] for page in kept if page < len(source[name])]
    if source["links"] is not None and len(source["links"]) > max(kept):
        wanted["links"] = [
            [(*link[:2], (places[link[2][0]], link[2][1])) if link[1] == "page" else link
             for link in source["links"][page] if link[1] != "page" or link[2][0] in places]
            for page in kept
        ]  # fmt: skip
    if source["outline"] is not None:
        wanted["outline"] = [(t, l, places[p]) for t, l, p in source["outline"] if p in places]
    return wanted


class Judge:
    def __init__(self, jisui, timeout, way, keep):
        self.jisui, self.timeout, self.way, self.keep = jisui, timeout, way, keep

    @functools.cache
    def source(self, path):
        return facts(path, self.timeout)

    @functools.cache
    def is_refused_alone(self, path):
        with tempfile.TemporaryDirectory() as folder:
            try:
                convert(self.jisui, [path], Path(folder, "made.pdf"), self.timeout)
            except Refused:
                return True
        return False

    def judge(self, number, paths, rng):
        """The case's name; how each fact differs ("" where equal), by the fact's name, or a refusal; what jisui said."""
        name = f"{number}: " + " + ".join(path.name for path in paths)
        sources = [self.source(path) for path in paths]
        with tempfile.TemporaryDirectory() as folder:
            made = Path(self.keep or folder, f"made-{number}.pdf")
            arguments = [*paths]
            if self.way == "combine":
                arguments += ["--combine", "--order", "given"]
            elif self.way == "merge":
                arguments += ["--spreads", "merge"]
            else:
                count = sources[0]["pages"] or 1
                kept = sorted(rng.sample(range(count), max(1, count // 3)))
                arguments += ["--pages", ",".join(str(page + 1) for page in kept)]
                sources = [selected(sources[0], kept)]
            try:
                said = convert(self.jisui, arguments, made, self.timeout)
            except Refused as error:
                return name, self.refusal(paths, str(error)), ""
            found = facts(made, self.timeout)
        return name, dict(self.differences(sources, found)), said

    def refusal(self, paths, said):
        errors = [line for line in said.splitlines() if "error:" in line]
        if len(errors) != 1:
            return f"refused, but not in one line: {said:.200}"
        if not any(self.is_refused_alone(path) for path in paths):
            return f"refused, though each file alone is not: {errors[0]:.200}"
        return "" if any(path.name in said for path in paths) else f"refused without a name: {errors[0]:.200}"

    def differences(self, sources, found):
        for name in FACTS:
            unknown = name != "labels" and any(source[name] is None for source in sources)
            if name == "labels":
                unknown = any(source["pages"] is None for source in sources)
            if name in ("links", "outline", "poppler", "mupdf", "words"):
                unknown = unknown or any(source["pages"] is None for source in sources)
            if unknown:
                continue
            if found[name] is None and name != "labels":
                yield name, "cannot be read any more"
                continue
            if self.way == "merge":
                how = bag_differs(name, sources[0], found)
            elif self.way == "select" and name == "marked":
                continue  # a selection of pages without tags has none
            elif self.way == "select" and name == "tags":
                how = "" if are_part(found[name], sources[0][name]) else "has lines that the source lacks"
            else:
                how = differs(name, sources, found)
            if how is not None:
                yield name, how


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jisui", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--way", choices=("combine", "merge", "select"), default="combine")
    parser.add_argument("--only", default="", help="only cases of which a file's name holds this word")
    parser.add_argument("--case", type=int, help="only the case of this number")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--keep", type=Path, help="where the PDFs that are made stay")
    wanted = parser.parse_args()
    files = sorted(path for path in wanted.folder.rglob("*") if path.suffix.lower() == ".pdf" and path.is_file())
    rng = random.Random(wanted.seed)
    if wanted.way == "combine":
        cases = [tuple(rng.sample(files, 2)) for _ in range(wanted.pairs)] if len(files) > 1 else []
    else:
        cases = [(path,) for path in rng.sample(files, min(wanted.pairs, len(files)))]
    numbered = [
        (number, case) for number, case in enumerate(cases, 1)
        if any(wanted.only in path.name for path in case) and wanted.case in (None, number)
    ]  # fmt: skip
    if not numbered:
        sys.exit(f"{wanted.folder} holds no PDFs to compare")
    if wanted.keep:
        wanted.keep.mkdir(parents=True, exist_ok=True)

    judge = Judge(str(wanted.jisui.resolve()), wanted.timeout, wanted.way, wanted.keep)
    counts = collections.Counter()
    report = wanted.out.open("w") if wanted.out else None
    with concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
        outcomes = pool.map(lambda case: judge.judge(*case, random.Random(case[0])), numbered)
        for name, outcome, said in outcomes:
            if isinstance(outcome, str):
                counts["refused"] += 1
                outcome = {"refusal": outcome}
            for fact, how in outcome.items():
                counts[fact, bool(how)] += 1
                if how:
                    print(f"{name}: {fact}: {how}", flush=True)
                if report:
                    print(name, fact, how or "equal", " / ".join(said.splitlines()), sep="\t", file=report, flush=True)
    print(f"{len(numbered)} cases, {counts['refused']} refused")
    print("fact\tcompared\tequal\tdifferent")
    for fact in [*FACTS, "refusal"]:
        equal, different = counts[fact, False], counts[fact, True]
        if equal or different:
            print(fact, equal + different, equal, different, sep="\t")
    sys.exit(any(counts[fact, True] for fact in [*FACTS, "refusal"]))


if __name__ == "__main__":
    main()
