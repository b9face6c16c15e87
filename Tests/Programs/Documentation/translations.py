#!/usr/bin/env python3
"""Compares the translations of messages (Sources/Translations/*.po) with the messages in the sources.

    translations.py [--list] [--missing LANGUAGE] [--punctuation]

A message is a string literal of the sources with words in it; its pattern has "{0}", "{1}" … in place of the values that
the literal interpolates, as `Message` has. Literals joined by "+" are one pattern. The script cannot know which literals are
messages: it takes those with two words, and single words where messages are made of words. Without options it reports
translations of patterns that no longer exist, and translations with other places than their pattern, and fails if there
are any, or Japanese sentences with the punctuation of English. --list prints all patterns; --missing prints those that
a language lacks, as entries of a PO file; --punctuation replaces the semicolons between Japanese sentences.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ["Sources", "Plugins"]
# Messages for authors of adapters and plug-ins are not translated. The planner's rules are only printed in documentation.
LEFT_OUT = ["Sources/AdapterTestKit/", "Sources/ExternalAdapters/Check/", "Sources/Planning/Rules/"]
WORD_FILES = re.compile(r"Sheet(Texts|Order)|Marks\.swift|Reporting/|Treatment\+Word|PageName|RunSummary|ActiveContent|ContentInterpreter|Side\.swift|PageLayout|MetadataField|Info\.swift|HelpPage|Operand\.swift|MetadataLoss|CommandSuggestions|Credit\.swift|Messages\.swift|ArchiveKind|ProgressBar|JournalPage|PlanTable|Operations|Planner|(Conversion|Looks|Picture|Shared|Strip)Notes\.swift|Deskew|Dewarp|PageChecking|Comparison(Lines|HTML)|Whiten|Despeckle|FillBorders"
)
# The code of a note is no message. Its text follows.
NOTE_CODE = re.compile(r'\bNote\.Code\(\s*"[a-z-]+"')
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
# Files with messages that only join others.
JOINING_FILES = re.compile(r"Message\.swift|Messages\.swift|ConversionNotes|RunSummary|AdapterError|Warning\.swift|ChangeCounts|Report\.swift|Picture\.swift|PageRanges|Planner|Lists|Batch|AdapterDescriptor|Info\.swift|Comparison")


def literals(text):
    """Yields (pattern, start, end) of each string literal outside comments, literals within interpolations included."""
    index, length = 0, len(text)
    while index < length:
        if text.startswith("//", index):
            index = text.find("\n", index) if "\n" in text[index:] else length
        elif text.startswith("/*", index):
            index = text.find("*/", index) + 2 or length
        elif text[index] == '"' or text[index] == "#" and re.match(r'#+"', text[index:]):
            try:
                end, pattern, inner = literal(text, index)
            except (IndexError, ValueError):
                # A quotation mark in a regular expression.
                index += 1
                continue
            # The inner ones first: those that "+" connects then follow each other.
            yield from inner
            yield pattern, index, end
            index = end
        else:
            index += 1


def literal(text, start):
    """Reads the literal at start: (end, pattern, literals within its interpolations)."""
    hashes = len(text[start:]) - len(text[start:].lstrip("#"))
    quote = '"""' if text.startswith('"""', start + hashes) else '"'
    index = start + hashes + len(quote)
    closing, escape = quote + "#" * hashes, "\\" + "#" * hashes
    pattern, places, inner = "", 0, []
    while not text.startswith(closing, index):
        if text.startswith(escape + "(", index):
            depth, begin = 1, index + len(escape) + 1
            index = begin
            while depth:
                if text[index] == '"':
                    end, nested, more = literal(text, index)
                    inner += [(nested, index, end)] + more
                    index = end
                    continue
                depth += {"(": 1, ")": -1}.get(text[index], 0)
                index += 1
            pattern += "{%d}" % places
            places += 1
        elif text.startswith(escape, index):
            code = text[index + len(escape)]
            if code == "u":
                end = text.index("}", index)
                pattern += chr(int(text[index + len(escape) + 2 : end], 16))
                index = end + 1
            else:
                pattern += {"n": "\n", "t": "\t", "0": "\0", "r": "\r"}.get(code, code)
                index += len(escape) + 1
        elif text[index] == "\n" and quote == '"':
            raise ValueError("not a literal")
        else:
            pattern += text[index]
            index += 1
    if quote == '"""':
        lines = pattern.split("\n")[1:]
        indent = len(lines[-1])
        pattern = "\n".join(line[indent:] for line in lines[:-1])
    return index + len(closing), pattern, inner


def joined(found, text):
    """Joins literals that a "+" connects. Literals within interpolations come before those that hold them."""
    result, last = [], None
    for pattern, start, end in found:
        nested = any(other[1] <= start and end <= other[2] for other in found if other[1:] != (start, end))
        if not nested and last is not None and re.fullmatch(r"\s*\+\s*", text[result[last][2] : start]):
            before = result[last]
            count = len(re.findall(r"\{\d+\}", before[0]))
            moved = re.sub(r"\{(\d+)\}", lambda match: "{%d}" % (int(match[1]) + count), pattern)
            result[last] = (before[0] + moved, before[1], end)
            continue
        if not nested:
            last = len(result)
        result.append((pattern, start, end))
    return result


def is_message(pattern, path):
    words = re.findall(r"[A-Za-z][a-z]+", re.sub(r"\{\d+\}", "", pattern))
    if not words and JOINING_FILES.search(path):
        return bool(re.search(r"[,;:(. ]", pattern))
    if not words or re.fullmatch(r"[\w./:#-]*", pattern) and str(path) and not WORD_FILES.search(str(path)):
        return False
    if re.search(r"^[<\[{]?[/A-Z]+ ?[<\[(/]|xmlns|</|<\w+[ >]|^\w+://|^[^ ]+$", pattern) and " " not in pattern.strip():
        return bool(WORD_FILES.search(str(path))) and bool(re.fullmatch(r"[A-Za-z][a-z -]*:?", pattern))
    return " " in pattern or "{" in pattern or bool(WORD_FILES.search(str(path)))


def patterns():
    """Returns each pattern with the first place in the sources, in the order of the files."""
    found = {}
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            name = str(path.relative_to(ROOT))
            if any(name.startswith(left) for left in LEFT_OUT):
                continue
            text = NOTE_CODE.sub(lambda match: re.sub(r"\S", " ", match[0]), path.read_text())
            for pattern, start, _ in joined(list(literals(text)), text):
                if is_message(pattern, name):
                    found.setdefault(pattern, f"{name}:{text.count(chr(10), 0, start) + 1}")
    # The texts of the plug-ins and presets that ship with jisui.
    for path in [*sorted((ROOT / "Plugins").glob("*/jisui-*.json")), ROOT / "Sources/Profiles/presets.json"]:
        for text in re.findall(r'"(?:summary|help)":\s*("(?:[^"\\]|\\.)*")', path.read_text()):
            found.setdefault(unquoted(text), str(path.relative_to(ROOT)))
    for path in sorted((ROOT / "Plugins").glob("*/jisui-*")):
        if path.suffix == "":
            for line in re.findall(r"^.*(?:Refusal|not_installed)\(.*$", path.read_text(), re.M):
                for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                    if " " in text.strip(" ,"):
                        found.setdefault(text, str(path.relative_to(ROOT)))
    return found


def unquoted(line):
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], line[line.index('"') + 1 : line.rindex('"')])


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def catalog(path):
    """Returns the translations of a PO file."""
    entries, pattern, text = {}, None, None
    for line in path.read_text().split("\n") + ['msgid ""']:
        if line.startswith("msgid "):
            if text:
                entries[pattern] = text
            pattern, text = unquoted(line), None
        elif line.startswith("msgstr "):
            text = unquoted(line)
        elif line.startswith('"'):
            if text is None:
                pattern += unquoted(line)
            else:
                text += unquoted(line)
    entries.pop("", None)
    return entries


def punctuated(line):
    """Returns a line of a PO file with the Japanese period instead of semicolons, if it is a Japanese translation."""
    if line.startswith("msgid ") or not JAPANESE.search(line):
        return line
    return re.sub(r"; ?", "。", line)


def main():
    known = patterns()
    arguments = sys.argv[1:]
    if "--list" in arguments:
        for pattern, place in known.items():
            print(f"{place}\t{quoted(pattern)}")
        return 0
    files = {path.stem: path for path in sorted((ROOT / "Sources/Translations").glob("*.po"))}
    if "--missing" in arguments:
        done = catalog(files[arguments[arguments.index("--missing") + 1]])
        for pattern, place in known.items():
            if pattern not in done:
                print(f"#: {place}\nmsgid {quoted(pattern)}\nmsgstr \"\"\n")
        return 0
    if "--punctuation" in arguments:
        for path in files.values():
            path.write_text("\n".join(punctuated(line) for line in path.read_text().split("\n")))
    faults = 0
    for language, path in files.items():
        for pattern, text in catalog(path).items():
            places = [set(re.findall(r"\{\d+\}", side)) for side in (pattern, text)]
            if pattern not in known:
                print(f"{path.name}: no message has the pattern {quoted(pattern)}")
                faults += 1
            elif not places[1] <= places[0]:
                print(f"{path.name}: the translation has other places than {quoted(pattern)}")
                faults += 1
            elif JAPANESE.search(text) and re.search(r"(?<!\.)[;,.]( |$)", text, re.M):
                print(f"{path.name}: ASCII punctuation in Japanese text: {quoted(text)}")
                faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
