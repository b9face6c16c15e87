#!/usr/bin/env python3
"""Has other people's programs for tags read what jisui writes, and compares every field with what was meant.

    python3 -m venv .build-taggers && .build-taggers/bin/pip install comicbox==5.4.0 comictagger==1.5.5
    .build-taggers/bin/python Tests/Programs/Readers/taggers.py .build/release/jisui

A comic with every element of ComicInfo.xml goes through jisui three ways: from a folder into an archive, from there into an
EPUB and back, and as facts in JSON over pages that say nothing. comicbox and comictagger read the archives.
"""

import json
import os
import subprocess
import sys
import tempfile

from comicapi.comicarchive import ComicArchive
from comicbox.box import Comicbox

FACTS = {
    "Title": "T & U", "Series": "S 自炊", "Number": "12.5", "Count": "24", "Volume": "2", "AlternateSeries": "Alt",
    "Summary": "Sum", "Notes": "N", "Year": "2019", "Month": "5", "Day": "31", "Writer": "W, V", "Penciller": "P",
    "Inker": "I", "Colorist": "C", "Letterer": "L", "CoverArtist": "K", "Editor": "E", "Translator": "R",
    "Publisher": "Pub", "Imprint": "Imp", "Genre": "G, H", "Web": "https://example.org/", "LanguageISO": "ja",
    "Format": "Series", "Manga": "YesAndRightToLeft", "Characters": "X", "AgeRating": "Teen",
}
TYPES = ["FrontCover", "Advertisement", "BackCover"]
# What an EPUB and jisui's JSON have a place for.
CARRIED = ["Title", "Series", "Number", "Year", "Month", "Day", "Writer", "Penciller", "Inker", "Colorist", "Letterer",
           "CoverArtist", "Editor", "Translator", "Publisher", "LanguageISO", "Manga"]


def document():
    def escaped(text):
        return text.replace("&", "&amp;")

    pages = "".join(
        f'<Page Image="{i}" Type="{kind}"{" Bookmark=" + chr(34) + "Start" + chr(34) if i == 0 else ""}/>'
        for i, kind in enumerate(TYPES))
    elements = "".join(f"<{name}>{escaped(text)}</{name}>" for name, text in FACTS.items())
    return f"<ComicInfo>{elements}<Pages>{pages}</Pages></ComicInfo>"


def roles(credits, names):
    """What the credits of a reader say, by the elements they come from."""
    return {element: ", ".join(sorted(credits.get(role, []))) for element, role in names.items()}


ROLES = {"Writer": "Writer", "Penciller": "Penciller", "Inker": "Inker", "Colorist": "Colorist",
         "Letterer": "Letterer", "CoverArtist": "Cover", "Editor": "Editor", "Translator": "Translator"}


def by_comicbox(path):
    with Comicbox(path) as comic:
        facts = comic.to_dict()["comicbox"]
    credits = {}
    for person, entry in facts["credits"].items():
        for role in entry["roles"]:
            credits.setdefault(role, []).append(person)
    date = facts.get("date", {})
    volume = facts.get("volume", {})
    pages = [facts["pages"][key] for key in sorted(facts["pages"], key=int)]
    return {
        "Title": facts.get("title"), "Series": facts["series"]["name"], "Number": facts["issue"]["name"],
        "Count": volume.get("issue_count"), "Volume": volume.get("number"),
        "AlternateSeries": next(iter(facts.get("arcs", {})), None), "Summary": facts.get("summary"),
        "Notes": facts.get("notes"), "Year": date.get("year"), "Month": date.get("month"), "Day": date.get("day"),
        "Publisher": facts["publisher"]["name"], "Imprint": facts.get("imprint", {}).get("name"),
        "Genre": ", ".join(sorted(facts.get("genres", {}))), "Web": str(facts.get("urls", [None])[0]),
        "LanguageISO": facts.get("language"), "Format": facts.get("original_format"),
        "Manga": "YesAndRightToLeft" if facts.get("reading_direction") == "rtl" else None,
        "Characters": next(iter(facts.get("characters", {})), None), "AgeRating": facts.get("age_rating"),
        **roles(credits, ROLES),
    }, [str(page.get("page_type")) for page in pages], [page.get("bookmark") for page in pages]


def by_comictagger(path):
    facts = ComicArchive(path, default_image_path=None).read_cix()
    credits = {}
    for credit in facts.credits:
        credits.setdefault(credit["role"], []).append(credit["person"])
    return {
        "Title": facts.title, "Series": facts.series, "Number": facts.issue, "Count": facts.issue_count,
        "Volume": facts.volume, "AlternateSeries": facts.alternate_series, "Summary": facts.comments,
        "Notes": facts.notes, "Year": facts.year, "Month": facts.month, "Day": facts.day,
        "Publisher": facts.publisher, "Imprint": facts.imprint, "Genre": facts.genre, "Web": facts.web_link,
        "LanguageISO": facts.language, "Format": facts.format, "Manga": facts.manga,
        "Characters": facts.characters, "AgeRating": facts.maturity_rating,
        # The version that this was written for knows no translators: ComicInfo 2.1 is a draft.
        **roles(credits, {name: role for name, role in ROLES.items() if name != "Translator"}),
    }, [page.get("Type") for page in facts.pages], [page.get("Bookmark") for page in facts.pages]


def main():
    jisui = os.path.abspath(sys.argv[1])
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Fixtures/made/rgb.jpg")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)

        def run(*arguments):
            result = subprocess.run([jisui, *arguments], capture_output=True, text=True)
            # 3: done, and what has no place in an EPUB is warned of.
            if result.returncode not in (0, 3):
                sys.exit(result.stderr)
            return result.stdout

        for name in ("comic", "bare"):
            os.mkdir(name)
            for number in range(len(TYPES)):
                os.symlink(page, f"{name}/{number}.jpg")
        with open("comic/ComicInfo.xml", "w", encoding="utf-8") as file:
            file.write(document())
        run("comic", "-o", "own.cbz")
        run("own.cbz", "-o", "own.epub")
        run("own.epub", "-o", "back.cbz")
        with open("facts.json", "w", encoding="utf-8") as file:
            file.write(run("info", "--metadata", "own.cbz"))
        run("bare", "-o", "told.cbz", "--metadata", "facts.json")
        ways = [("own.cbz", list(FACTS), True), ("back.cbz", CARRIED, True), ("told.cbz", CARRIED + ["Volume"], False)]
        for path, fields, has_pages in ways:
            for name, reader in (("comicbox", by_comicbox), ("comictagger", by_comictagger)):
                found, types, bookmarks = reader(path)
                right = 0
                asked = [field for field in fields if field in found]
                for field in asked:
                    expected = ", ".join(sorted(FACTS[field].split(", ")))
                    if str(found[field]) == expected or str(found[field]) == FACTS[field]:
                        right += 1
                    else:
                        print(f"{path}, {name}: {field} is {found[field]!r} and not {FACTS[field]!r}")
                pages = ""
                if has_pages:
                    is_right = types == TYPES and bookmarks[0] == "Start" and not any(bookmarks[1:])
                    pages = ", pages " + ("right" if is_right else f"wrong: {types} {bookmarks}")
                    failures += not is_right
                failures += len(asked) - right
                print(f"{path}, {name}: {right} of {len(asked)} fields as meant{pages}")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
