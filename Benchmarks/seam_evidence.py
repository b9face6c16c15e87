#!/usr/bin/env python3
"""Fits the weights of SeamEvidence by logistic regression, and writes them as Swift.

  python3 seam_evidence.py check
  python3 seam_evidence.py fit [--write]
  python3 seam_evidence.py make --out DIR
  python3 seam_evidence.py cut --out DIR
  python3 seam_evidence.py features --features BIN [--compare] DIR/*

`check` and `fit` need only Python and `seams/features.tsv`, which has the features of all pairs of pages that follow each
other, and whether they share a drawing. `check` fails if the weights in SeamWeights.swift are not the ones fitted to this
table; `make lint` runs it. `fit` prints:

- how well the weights in SeamWeights.swift do on the books of the fit, on the other synthetic books, and on real pages
- how well weights do that are fitted without the book on which they are measured
- the fitted weights with their standard errors

With --write it replaces SeamWeights.swift.

The table comes from books, which are folders of pages with a truth.json. The truth comes from the program that made the
pages, never from a person or from jisui:

- `make` draws the books of FITTED and MEASURED with make_joins.py, which knows which drawings it cut.
- `cut` makes the books of REAL. It cuts each page in two, with up to 3 % of its width lost. A page and a seed always give the
  same halves. The pages are those of public repositories, in the folder of --corpus.

`seams/books.json` has the names, the seeds, the sources and the SHA-256 of all books. `features` writes both files. With
--compare it compares the features of other copies of the books with those in the table instead. BIN is built by

  JISUI_SEAMS=1 swift build -c release --product SeamFeatures --scratch-path .build-seams -Xswiftc -enable-testing

`make` and `cut` need numpy and Pillow in the versions of requirements.txt. Nothing is random.

The doubt whether an edge shows a drawing is a given part of the log odds, as in ArtSeam. The comparison with a book's other
pages (ArtSeams) is not part of the fit.
"""
import argparse, hashlib, json, math, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
WEIGHTS = os.path.join(HERE, "../Plugins/Spreads/Joining/SeamWeights.swift")
TABLE, BOOKS = os.path.join(HERE, "seams/features.tsv"), os.path.join(HERE, "seams/books.json")
# The seeds of the synthetic books for the fit, those of books that only measure it, and the pages of each.
FITTED, MEASURED, PAGES = range(1, 21), range(101, 107), 120
# Real pages: the folder in the corpus, the source, and the seeds of the cuts. Each seed makes a book of other halves.
REAL = {
    "bobby": ("books/comic_bobby-make-believe_1915", "clach04/sample_reading_media : images/bobby_make_believe", 8),
    "haruko": ("books/manga_haruko_idpf", "IDPF/epub3-samples : 30/haruko-jpeg/OPS/images", 8),
    "boureisougi": ("real-books-2/manga_boureisougi", "mantra-inc/open-mantra-dataset : images/boureisougi/ja", 4),
}
# The real pages that are fitted. The licence of the others allows no commercial use, so they only measure the fit.
FITTED_REAL = {"bobby", "haruko"}
# Books have fewer pairs than the ones that are made for the fit.
LOWERED = 1.3
# The weight of the penalty on large weights.
RIDGE = 1.0
# The least confidence of a pair that is joined: SeamLimits.Pairs.minimumConfidence.
JOINED = 0.62
# The digits of the features in the table, and of the weights.
FEATURE_DIGITS, WEIGHT_DIGITS = 4, 3


def is_fitted(book):
    kind, seed = book.split("-")
    return kind in FITTED_REAL or kind == "synthetic" and int(seed) in FITTED


def digest(folder):
    """The SHA-256 of the names and the bytes of a book's files, truth.json included."""
    found = hashlib.sha256()
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            found.update(f"{name}\0{hashlib.sha256(file.read()).hexdigest()}\n".encode())
    return found.hexdigest()


class Pairs:
    """Pairs of pages that jisui compares: a row of features each, the deduction, and whether they share a drawing."""

    def __init__(self, rows, missed):
        self.rows = [(1.0, *row["features"]) for row in rows]
        self.deductions = [row["deduction"] for row in rows]
        self.are_pairs = [row["pair"] for row in rows]
        # A drawing whose edges show nothing is missed by every weight.
        self.missed = missed

    def odds(self, weights):
        return [sum(w * v for w, v in zip(weights, row)) - deduction
                for row, deduction in zip(self.rows, self.deductions)]


def table():
    """The names of the features, and the rows of each book."""
    with open(TABLE) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    names, books = lines[0][4:], {}
    for book, first, pair, deduction, *features in lines[1:]:
        books.setdefault(book, []).append({
            "first": int(first), "pair": float(pair), "deduction": float(deduction),
            "features": [float(value) for value in features]})
    with open(BOOKS) as file:
        missed = {book["name"]: book["missed"] for book in json.load(file)["books"]}
    return names, {book: (rows, missed[book]) for book, rows in books.items()}


def joined(books):
    """The pairs of several books."""
    return Pairs([row for rows, _ in books for row in rows], sum(missed for _, missed in books))


def probability(odds):
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))


def loss_of(odds, is_pair):
    return max(odds, 0.0) + math.log1p(math.exp(-abs(odds))) - is_pair * odds


def solved(matrix, vectors):
    """The solutions of a system of equations for several right sides, by Gauss's elimination."""
    rows = [list(row) + [vector[index] for vector in vectors] for index, row in enumerate(matrix)]
    for column in range(len(rows)):
        pivot = max(range(column, len(rows)), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(len(rows)):
            if row != column:
                factor = rows[row][column]
                rows[row] = [value - factor * own for value, own in zip(rows[row], rows[column])]
    return [[row[len(rows) + index] for row in rows] for index in range(len(vectors))]


def fit(pairs):
    """The weights of greatest likelihood, by Newton's method (iteratively reweighted least squares), and their errors.

    The penalty keeps weights finite where features separate pairs from other pages completely; the base is free of it.
    """
    count = len(pairs.rows[0])
    weights, penalty = [0.0] * count, [0.0] + [RIDGE] * (count - 1)

    def loss(weights):
        return (sum(map(loss_of, pairs.odds(weights), pairs.are_pairs))
                + sum(p * w * w for p, w in zip(penalty, weights)) / 2)

    unit = [[float(row == column) for column in range(count)] for row in range(count)]
    for _ in range(100):
        slope = [-p * w for p, w in zip(penalty, weights)]
        curve = [[p * value for value in row] for p, row in zip([p + 1e-9 for p in penalty], unit)]
        for row, odds, is_pair in zip(pairs.rows, pairs.odds(weights), pairs.are_pairs):
            likely = probability(odds)
            spread = likely * (1 - likely)
            for one in range(count):
                slope[one] += row[one] * (is_pair - likely)
                for other in range(count):
                    curve[one][other] += spread * row[one] * row[other]
        step = solved(curve, [slope])[0]
        before, part = loss(weights), 1.0
        while loss([w + part * s for w, s in zip(weights, step)]) > before and part > 1e-6:
            part /= 2
        weights = [w + part * s for w, s in zip(weights, step)]
        if max(abs(part * s) for s in step) < 1e-8:
            break
    inverse = solved(curve, unit)
    return weights, [math.sqrt(inverse[index][index]) for index in range(count)]


def lowered(weights):
    return [weights[0] - LOWERED, *weights[1:]]


def score(name, odds, pairs):
    """Prints precision, recall and the mean loss of weights.

    They are those of a book's own edges, before other pages count.
    """
    found = [probability(value) >= JOINED for value in odds]
    right = sum(1 for is_found, is_pair in zip(found, pairs.are_pairs) if is_found and is_pair)
    there = int(sum(pairs.are_pairs)) + pairs.missed
    loss = sum(map(loss_of, odds, pairs.are_pairs)) / max(1, len(odds))
    print(f"{name:44} precision {right}/{sum(found)}   recall {right}/{there}   loss {loss:.4f}")


def rounded(weight):
    return f"{float(f'{weight:.{WEIGHT_DIGITS}g}'):g}"


def swift(names, weights, books, rows, pairs):
    """SeamWeights.swift with weights."""
    lines = [
        "// Written by `Benchmarks/seam_evidence.py fit --write`. `make lint` checks that it is what that writes.",
        "",
        "/// The weights of the features in `SeamEvidence`, in log odds for each unit of the feature.",
        "///",
        f"/// Measured on: they were found by logistic regression over {rows} pairs of pages, and {pairs} pairs share a drawing.",
        f"/// They are from {books} books: synthetic comics of `Benchmarks/make_joins.py`, and halves of public pages.",
        "/// `Benchmarks/seams` has their features, and `Benchmarks/README.md` the scores on other books.",
        "enum SeamWeights {",
        "    /// The log odds of a pair whose features are all zero.",
        "    ///",
        f"    /// The fitted value was lowered by {LOWERED}, because books have fewer such pairs than the set that was fitted.",
    ]
    lines += [f"    static let {name}: Float = {rounded(weight)}" for name, weight in zip(["base", *names], weights)]
    return "\n".join([*lines, "}", ""])


def current(names):
    """The weights in SeamWeights.swift, and its text."""
    with open(WEIGHTS) as file:
        text = file.read()
    found = dict(re.findall(r"static let (\w+): Float = (-?[0-9.]+)", text))
    return [float(found[name]) for name in ["base", *names]], text


def fitted_weights():
    """The names of the features, the rows of each book, the fitted weights, their errors, and their Swift."""
    names, books = table()
    chosen = [book for name, book in books.items() if is_fitted(name)]
    pairs = joined(chosen)
    weights, errors = fit(pairs)
    weights = lowered(weights)
    return names, books, weights, errors, swift(
        names, weights, len(chosen), len(pairs.rows), int(sum(pairs.are_pairs)))


def check(_):
    names, _, _, _, text = fitted_weights()
    if current(names)[1] != text:
        sys.exit("SeamWeights.swift is not what Benchmarks/seam_evidence.py fit --write writes")


def fitted(options):
    names, books, weights, errors, text = fitted_weights()
    sets = {}
    for name in books:
        sets.setdefault(("fitted " if is_fitted(name) else "other ") + name.split("-")[0], []).append(name)
    inside, exact = current(names)[0], [float(rounded(weight)) for weight in weights]
    for title, members in sets.items():
        pairs = joined([books[name] for name in members])
        score(f"{title}: weights of the source", pairs.odds(inside), pairs)
        score(f"{title}: fitted weights", pairs.odds(exact), pairs)
    # All books of one kind of real pages are left out together, because they show the same pages.
    for title, members in sets.items():
        if title.startswith("fitted"):
            groups = [[name] for name in members] if title.endswith("synthetic") else [members]
            odds, pairs = [], joined([books[name] for name in members])
            for left_out in groups:
                others = joined([book for name, book in books.items() if is_fitted(name) and name not in left_out])
                odds += joined([books[name] for name in left_out]).odds(lowered(fit(others)[0]))
            score(f"{title}: fitted without the book", odds, pairs)
    print()
    for name, weight, error in zip(["base", *names], weights, errors):
        print(f"{name:12} {rounded(weight):>7}  ± {error:.2g}")
    if options.write:
        with open(WEIGHTS, "w") as file:
            file.write(text)


def features_of(program, folder):
    """The names of the features, the rows of the table for a book, and the record of it."""
    with open(os.path.join(folder, "truth.json")) as file:
        truth = json.load(file)
    name, pairs = os.path.basename(os.path.normpath(folder)), {pair["first"] for pair in truth["pairs"]}
    lines = subprocess.run([program, truth["direction"], folder], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    rows, seen = [], 0
    for line in lines[1:]:
        first, _, *values = line.split("\t")
        if not values:
            continue
        is_pair = int(int(first) in pairs)
        seen += is_pair
        rows.append("\t".join([name, first, str(is_pair), *(f"{float(value):.{FEATURE_DIGITS}g}" for value in values)]))
    record = {"name": name, "seed": truth["seed"], "sha256": digest(folder), "pages": len(truth["pages"]),
              "pairs": len(pairs), "compared": len(rows), "missed": len(pairs) - seen}
    kind = name.split("-")[0]
    if kind in REAL:
        record["source"] = REAL[kind][1]
    return lines[0].split("\t")[3:], rows, record


def features(options):
    lines, records = [], []
    for folder in sorted(options.books, key=lambda folder: os.path.basename(os.path.normpath(folder))):
        names, rows, record = features_of(options.features, folder)
        lines += rows
        records.append(record)
    head = "\t".join(["book", "first", "pair", "deduction", *names])
    if options.compare:
        return compare([head, *lines], records)
    with open(TABLE, "w") as file:
        file.write("\n".join([head, *lines, ""]))
    with open(BOOKS, "w") as file:
        json.dump({"books": records, "python": sys.version.split()[0]}, file, indent=1)
        file.write("\n")


def compare(lines, records):
    """Prints which books and features differ from those in the table."""
    with open(BOOKS) as file:
        known = {book["name"]: book for book in json.load(file)["books"]}
    for record in records:
        if record["sha256"] != known.get(record["name"], {}).get("sha256"):
            print(f"{record['name']}: other pages")
    with open(TABLE) as file:
        there = {tuple(line.split("\t")[:2]): line.split() for line in file}
    largest = 0.0
    for line in lines[1:]:
        fields = line.split("\t")
        other = there.pop(tuple(fields[:2]), None)
        if other is None:
            print(f"{fields[0]} {fields[1]}: not in the table")
            continue
        largest = max([largest, *(abs(float(a) - float(b)) for a, b in zip(fields[2:], other[2:]))])
    print(f"{len(lines) - 1} rows; the largest difference of a feature is {largest:g}")


def make(options):
    """Makes the synthetic books. Books that are there already are left alone."""
    import make_joins
    for seed in [*FITTED, *MEASURED]:
        folder = os.path.join(options.out, f"synthetic-{seed:02}")
        # The truth is written last.
        if not os.path.exists(os.path.join(folder, "truth.json")):
            make_joins.make(folder, seed, PAGES)


def cut(options):
    """Makes the books of halves of real pages."""
    for name, (folder, _, seeds) in REAL.items():
        folder = os.path.join(options.corpus, folder)
        images = sorted(os.path.join(folder, page) for page in os.listdir(folder) if page.endswith(".jpg"))
        for seed in range(1, seeds + 1):
            cut_book(os.path.join(options.out, f"{name}-{seed}"), seed, images)


def cut_book(out, seed, images):
    """Makes a book of halves of pages. A seed always cuts a page in the same way, in any order of the pages."""
    import numpy as np
    from PIL import Image
    os.makedirs(out, exist_ok=True)
    pairs = []
    for number, path in enumerate(images):
        with open(path, "rb") as file:
            sha256 = hashlib.sha256(file.read()).hexdigest()
        rng = np.random.default_rng([seed, 7, int(sha256[:16], 16)])
        with Image.open(path) as image:
            page = image.convert("RGB")
        lost = round(rng.uniform(0, 0.03) * page.width)
        place = round(rng.uniform(0.35, 0.65) * page.width)
        up = round(rng.uniform(-0.005, 0.005) * page.height)
        # One half is a little lower than the other, and both stay as high as each other.
        tops, height = (max(0, up), max(0, -up)), page.height - abs(up)
        end = place - lost // 2
        halves = [page.crop((0, tops[0], end, tops[0] + height)),
                  page.crop((end + lost, tops[1], page.width, tops[1] + height))]
        for side, half in enumerate(halves):
            half.save(os.path.join(out, f"{2 * number + side + 1:04}.jpg"), quality=int(rng.integers(75, 93)))
        pairs.append({"first": 2 * number + 1, "kind": "real", "lost": round(lost / page.width, 4),
                      "page": os.path.basename(path), "sha256": sha256})
    with open(os.path.join(out, "truth.json"), "w") as file:
        json.dump({"seed": seed, "direction": "ltr", "pages": ["real"] * (2 * len(pairs)), "pairs": pairs}, file,
                  indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("check", help="fail if the weights in the source are not those of the table")
    command.set_defaults(run=check)
    command = commands.add_parser("fit", help="fit the weights to the table")
    command.add_argument("--write", action="store_true", help="write SeamWeights.swift")
    command.set_defaults(run=fitted)
    command = commands.add_parser("features", help="write the table")
    command.add_argument("--features", required=True, metavar="BIN", help="the built SeamFeatures")
    command.add_argument("--compare", action="store_true", help="compare with the table instead")
    command.add_argument("books", nargs="+", metavar="DIR")
    command.set_defaults(run=features)
    command = commands.add_parser("make", help="make the synthetic books")
    command.add_argument("--out", required=True, metavar="DIR")
    command.set_defaults(run=make)
    command = commands.add_parser("cut", help="make the books of halves of real pages")
    command.add_argument("--out", required=True, metavar="DIR")
    command.add_argument("--corpus", required=True, metavar="DIR", help="the folder of the public pages")
    command.set_defaults(run=cut)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
