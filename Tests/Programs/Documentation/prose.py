#!/usr/bin/env python3
"""Checks the language of documentation, messages and comments: prose.py [--record] [--list NAME]

Patterns of the first list may not occur in documentation and messages. The counts of the others may only fall:
prose.tsv has them by pattern and group of texts, and --record writes lower ones. A line with
`prose: ok` in a comment is left out. --list prints the places of a pattern.
"""
import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
COUNTS = Path(__file__).with_name("prose.tsv")
START = r"(?:^|(?<=[.;:!?] ))"

BANNED = {
    "is none": r"\b(is|are|was|were) none\b",
    "but for": r"\bbut for\b",
    "anew": r"\banew\b",
    "can be had": r"\b(can|cannot|could) be had\b",
    "bears": r"\b[Bb]ears?\b",
    "inverted condition": START + r"Should (a|an|the|it)\b|\bbe it\b|\bwere it\b",
    "of which": r"\bof (which|whom)\b",
    "have X do": START + r"(Have|Let) \S+ \w+|\b[Hh]ave --\w+",
    "metaphor": r"\b(house|storey|storeys|papers|brim)\b",
    "British spelling": r"\b(\w*colour\w*|recogni[s]\w+|behaviour\w*|neighbour\w*|licence|favour\w*|grey\w*)\b",
}
RATCHET = {
    "that there is not": r"\b(which|that) there is not\b|\bthere (is|are) no\b",
    "is no X": r"\b(is|are|was|were) no (?!longer|more|less|fewer|such)[a-z]+",
    "who as subject": START + r"Who\b|\b(for|to|of|by|than) who\b|\bwho (reads|asks|writes|has|makes|wants|waits)\b",
    "What as subject": START + r"What [a-z]",
    "what inside": r"(?<!^)\b(?<![.;] )what (is|was|are|were|can|has|have|they|it|jisui|the|a|lies|stands|comes)\b",
    "That as subject": START + r"(That (of|a|the|is|which)|One (that|of|which|whose)|Those (that|of))\b",
    "since": r", since\b",
    "tells": r"\btold\b|\btells? (of|which|how|what|whether|that|where|it)\b",
    "is said": r"\b(is|are|was|were|be) said\b|\bsays? (of|so|nothing)\b",
    "nobody": r"\b(nobody|somebody|whoever|whichever)\b",
    "whatever": r", (whatever|however)\b|\bwhatever (is|it|they|the|may|was)\b",
    "beside": r"\bbesides?\b",
    "behind": r"\bbehind\b",
    "take for": r"\b(taken?|takes) (\w+ ){0,3}for (a|an|the|what|one|none)\b",
    "goes along": r"\b(comes?|came|goes?|went|gone) (along|back)\b",
    "leads to": r"\bleads? (to|into|nowhere)\b|\bled to\b",
    "passed over": r"\bpass(es|ed|ing)? over\b",
    "mend, heed": r"\b(mend(s|ed)?|heed(s|ed|ing)?|foretell)\b",
}
LONG, LONGEST = 25, 40


def paragraphs(markdown):
    """Paragraphs, list items and table rows as one line each, without blocks of code."""
    texts, current, is_code = [], [], False
    for line in markdown.split("\n") + [""]:
        line = line.strip()
        if line.startswith("```"):
            is_code = not is_code
            line = ""
        if is_code or line.startswith("<!--"):
            continue
        if not line or line.startswith(("|", "#")) or re.match(r"([-*]|\d+\.) ", line):
            texts.append(" ".join(current))
            current = []
        current.append(re.sub(r"^([-*]|\d+\.) ", "", line).strip("|# "))
    texts.append(" ".join(current))
    # Code is no prose.
    return [re.sub(r"`[^`]*`", "`X`", text) for text in texts if text]


def documents():
    names = [
        "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Benchmarks/README.md", "Examples/README.md",
        "Examples/Plugins/README.md",
    ]
    paths = [REPOSITORY / name for name in names] + sorted((REPOSITORY / "docs").rglob("*.md"))
    paths = [path for path in paths if path.parent.name != "ja"]
    for path in paths:
        if path.exists():
            for text in paragraphs(path.read_text()):
                yield path, text


def swift():
    """The string literals of three words or more, and the comments, of the program and its adapters."""
    strings, comments = [], []
    for path in sorted((REPOSITORY / "Sources").rglob("*.swift")) + sorted((REPOSITORY / "Plugins").rglob("*.swift")):
        run = []
        for line in path.read_text().split("\n") + [""]:
            line = line.strip()
            if line.startswith("//"):
                text = line.lstrip("/").strip()
                # The items of a list are sentences of their own.
                if text.startswith("- ") and run:
                    comments.append((path, " ".join(run)))
                    run = []
                run.append(text)
                continue
            if run:
                comments.append((path, " ".join(run)))
                run = []
            if "prose: ok" in line:
                continue
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                text = re.sub(r"\\\([^)]*\)", "X", literal)
                if len(re.findall(r"[A-Za-z']{2,}", text)) >= 3:
                    strings.append((path, text))
    return strings, comments


def sentences(text):
    text = re.sub(r"`[^`]*`", "X", text)
    for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z`\"(*])", text):
        yield len(re.findall(r"[A-Za-z0-9'’\-`./]+", sentence)), sentence


def main():
    strings, comments = swift()
    groups = {"documents": list(documents()), "messages": strings, "comments": comments}
    places = {}
    for group, texts in groups.items():
        for path, text in texts:
            for name, pattern in (BANNED | RATCHET).items():
                for match in re.finditer(pattern, text):
                    around = text[max(0, match.start() - 50):match.end() + 50]
                    places.setdefault((name, group), []).append((path, around))
            for words, sentence in sentences(text):
                if words > LONG:
                    places.setdefault((f"over {LONG} words", group), []).append((path, sentence))
                if words > LONGEST:
                    places.setdefault((f"over {LONGEST} words", group), []).append((path, sentence))
    if "--list" in sys.argv:
        wanted = sys.argv[sys.argv.index("--list") + 1]
        for (name, group), found in sorted(places.items()):
            if name.startswith(wanted):
                for path, around in found:
                    print(f"{group} {path.relative_to(REPOSITORY)}: {around}")
        return 0
    allowed = {}
    if COUNTS.exists():
        for line in COUNTS.read_text().splitlines()[1:]:
            name, group, count = line.split("\t")
            allowed[name, group] = int(count)
    failed = False
    for (name, group), found in sorted(places.items()):
        isBanned = group != "comments" and (name in BANNED or name.startswith(f"over {LONGEST}"))
        most = 0 if isBanned else allowed.get((name, group), len(found) if "--record" in sys.argv else 0)
        if len(found) > most:
            failed = True
            print(f"prose: '{name}' in {group}: {len(found)}, and no more than {most} are allowed; --list '{name}' "
                  "shows them")
    if "--record" in sys.argv:
        lines = ["pattern\tgroup\tcount"] + [
            f"{name}\t{group}\t{min(len(found), allowed.get((name, group), len(found)))}"
            for (name, group), found in sorted(places.items())]
        COUNTS.write_text("\n".join(lines) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
