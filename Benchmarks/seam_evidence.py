#!/usr/bin/env python3
"""Fits the weights of SeamEvidence by logistic regression, and prints them as Swift.

  python3 seam_evidence.py make --out DIR
  python3 seam_evidence.py cut --out DIR/BOOK --seed N IMAGE...
  python3 seam_evidence.py fit --features BIN --record FILE DIR/*

A BOOK is a folder of pages with a truth.json, as make_joins.py writes it: the direction, and the pairs by the number of their
first page. The truth comes from the program that made the pages, never from a person or from jisui:

- `make` draws the books of SEEDS with make_joins.py, which knows which drawings it cut.
- `cut` makes a book of real pages: each is cut in two, with up to 3 % of its width lost. A page and a seed always give the same
  halves. truth.json has the name and the SHA-256 of each page.

BIN is built by

  JISUI_SEAMS=1 swift build -c release --product SeamFeatures --scratch-path .build-seams -Xswiftc -enable-testing

`fit` needs numpy, the others need numpy and Pillow, in the versions of requirements.txt. Books are sorted by their names, and
nothing is random, so that the same books always give the same weights. --record FILE writes a JSON file with all that decides
about them: the digests of the books, the options, the versions, the weights and their scores. Put it next to the weights if you
replace them. `fit` compares all pages that follow each other. It prints:

- how well the weights in SeamWeights.swift do on these books
- how well fitted weights do on books that were left out of the fit, one after the other
- the weights fitted on all books, with their standard errors

The doubt whether an edge shows a drawing is a given part of the log odds, as in ArtSeam. The comparison with a book's other
pages (ArtSeams) is not part of the fit.
"""
import argparse, hashlib, json, os, re, subprocess, sys
import numpy as np

WEIGHTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Plugins/Spreads/Joining/SeamWeights.swift")
# The seeds of the synthetic books for a fit, and the pages of each.
SEEDS, PAGES = range(1, 41), 120
# Books have fewer pairs than the ones that are made for the fit.
LOWERED = 1.3
# The least confidence of a pair that is joined: SeamLimits.Pairs.minimumConfidence.
JOINED = 0.62


def digest(folder):
    """The SHA-256 of the names and the bytes of a book's files, truth.json included."""
    found = hashlib.sha256()
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            found.update(f"{name}\0{hashlib.sha256(file.read()).hexdigest()}\n".encode())
    return found.hexdigest()


class Book:
    """The pairs of a book that jisui compares: a row of features each, the deduction, and whether they share a drawing."""

    def __init__(self, program, folder):
        with open(os.path.join(folder, "truth.json")) as file:
            truth = json.load(file)
        pairs = {pair["first"] for pair in truth["pairs"]}
        lines = subprocess.run([program, truth["direction"], folder], check=True, capture_output=True,
                               text=True).stdout.splitlines()
        self.name = folder
        self.names = lines[0].split("\t")[3:]
        rows = [line.split("\t") for line in lines[1:]]
        known = [row for row in rows if len(row) > 2]
        # A drawing whose edges show nothing is missed by every weight.
        self.missed = len(pairs) - sum(int(row[0]) in pairs for row in known)
        self.values = np.array([row[3:] for row in known], float).reshape(len(known), len(self.names))
        self.deduction = np.array([row[2] for row in known], float)
        self.record = {"name": os.path.basename(os.path.normpath(folder)), "seed": truth["seed"], "sha256": digest(folder),
                       "pages": len(truth["pages"]), "pairs": len(pairs), "compared": len(known)}
        self.is_pair = np.array([int(row[0]) in pairs for row in known], float)


def joined(books):
    """The rows of several books, with a column of ones for the base."""
    values = np.concatenate([book.values for book in books])
    return (np.column_stack([np.ones(len(values)), values]), np.concatenate([book.deduction for book in books]),
            np.concatenate([book.is_pair for book in books]))


def probability(odds):
    return 1 / (1 + np.exp(-np.clip(odds, -50, 50)))


def fit(values, deduction, is_pair, ridge):
    """The weights of greatest likelihood, by Newton's method (iteratively reweighted least squares), and their errors.

    `ridge` keeps weights finite where features separate pairs from other pages completely; the base is free of it.
    """
    weights = np.zeros(values.shape[1])
    penalty = np.full(values.shape[1], ridge)
    penalty[0] = 0

    def loss(weights):
        odds = values @ weights - deduction
        return np.sum(np.logaddexp(0, odds) - is_pair * odds) + np.sum(penalty * weights ** 2) / 2

    for _ in range(100):
        likely = probability(values @ weights - deduction)
        slope = values.T @ (is_pair - likely) - penalty * weights
        curve = (values.T * (likely * (1 - likely))) @ values + np.diag(penalty)
        step = np.linalg.solve(curve + 1e-9 * np.eye(len(curve)), slope)
        before, part = loss(weights), 1.0
        while loss(weights + part * step) > before and part > 1e-6:
            part /= 2
        weights = weights + part * step
        if np.max(np.abs(part * step)) < 1e-8:
            break
    return weights, np.sqrt(np.diag(np.linalg.inv(curve + 1e-9 * np.eye(len(curve)))))


def score(name, weights, values, deduction, is_pair, missed):
    """Prints and returns precision, recall and the mean loss of weights.

    They are those of a book's own edges, before other pages count.
    """
    odds = values @ weights - deduction
    found = probability(odds) >= JOINED
    right = int(np.sum(found & (is_pair > 0)))
    there = int(np.sum(is_pair)) + missed
    loss = np.mean(np.logaddexp(0, odds) - is_pair * odds)
    print(f"{name:28} precision {right}/{int(np.sum(found))}   recall {right}/{there}   loss {loss:.4f}")
    return {"right": right, "found": int(np.sum(found)), "there": there, "loss": round(float(loss), 6)}


def current(names):
    """The weights in SeamWeights.swift."""
    with open(WEIGHTS) as file:
        found = dict(re.findall(r"static let (\w+): Float = (-?[0-9.]+)", file.read()))
    return np.array([float(found[name]) for name in ["base", *names]])


def fitted(options):
    folders = sorted(options.books, key=lambda folder: os.path.basename(os.path.normpath(folder)))
    books = [Book(options.features, folder) for folder in folders]
    scores = {}
    names = books[0].names
    values, deduction, is_pair = joined(books)
    missed = sum(book.missed for book in books)
    print(f"{len(books)} books, {len(is_pair)} pairs of pages with drawings at the edge, {int(is_pair.sum())} of them one "
          f"drawing; {missed} drawings without edges")
    scores["source"] = score("weights of the source", current(names), values, deduction, is_pair, missed)
    lowered = np.array([options.lower] + [0.0] * len(names))
    if len(books) > 1:
        weights = []
        for left_out in books:
            others = joined([book for book in books if book is not left_out])
            weights.append(fit(*others, options.ridge)[0] - lowered)
        odds = np.concatenate([joined([book])[0] @ w for book, w in zip(books, weights)])
        # One column of odds and a weight of 1 stand for the weights of each book.
        scores["without the book"] = score("fitted without the book", np.array([1.0]), odds[:, None], deduction, is_pair, missed)
    weights, errors = fit(values, deduction, is_pair, options.ridge)
    weights = weights - lowered
    scores["all"] = score("fitted on all", weights, values, deduction, is_pair, missed)
    print()
    for name, weight, error in zip(["base", *names], weights, errors):
        print(f"    static let {name}: Float = {weight:.3g}  // ± {error:.2g}")
    if options.record:
        record = {"books": [book.record for book in books], "lowered": options.lower, "ridge": options.ridge,
                  "python": sys.version.split()[0], "numpy": np.__version__, "scores": scores,
                  "weights": {name: {"value": float(f"{weight:.6g}"), "error": float(f"{error:.3g}")}
                              for name, weight, error in zip(["base", *names], weights, errors)}}
        with open(options.record, "w") as file:
            json.dump(record, file, indent=1)


def make(options):
    """Makes the synthetic books. Books that are there already are left alone."""
    import make_joins
    for seed in SEEDS:
        folder = os.path.join(options.out, f"synthetic-{seed:02}")
        # The truth is written last.
        if not os.path.exists(os.path.join(folder, "truth.json")):
            make_joins.make(folder, seed, PAGES)


def cut(options):
    """Makes a book of halves of real pages. A seed always cuts a page in the same way, in any order of the pages."""
    from PIL import Image
    os.makedirs(options.out, exist_ok=True)
    pairs = []
    for number, path in enumerate(options.images):
        with open(path, "rb") as file:
            sha256 = hashlib.sha256(file.read()).hexdigest()
        rng = np.random.default_rng([options.seed, 7, int(sha256[:16], 16)])
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
            half.save(os.path.join(options.out, f"{2 * number + side + 1:04}.jpg"), quality=int(rng.integers(75, 93)))
        pairs.append({"first": 2 * number + 1, "kind": "real", "lost": round(lost / page.width, 4),
                      "page": os.path.basename(path), "sha256": sha256})
    with open(os.path.join(options.out, "truth.json"), "w") as file:
        json.dump({"seed": options.seed, "direction": "ltr", "pages": ["real"] * (2 * len(pairs)), "pairs": pairs}, file,
                  indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("fit", help="fit the weights")
    command.add_argument("--features", required=True, help="the built SeamFeatures")
    command.add_argument("--lower", type=float, default=LOWERED, help=f"log odds to take off the base (default: {LOWERED})")
    command.add_argument("--ridge", type=float, default=1.0, help="weight of the penalty on large weights (default: 1)")
    command.add_argument("--record", metavar="FILE", help="write all that decides about the weights as JSON")
    command.add_argument("books", nargs="+")
    command.set_defaults(run=fitted)
    command = commands.add_parser("make", help="make the synthetic books of the recorded seeds")
    command.add_argument("--out", required=True)
    command.set_defaults(run=make)
    command = commands.add_parser("cut", help="make a book of halves of real pages")
    command.add_argument("--out", required=True)
    command.add_argument("--seed", type=int, required=True)
    command.add_argument("images", nargs="+")
    command.set_defaults(run=cut)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    sys.exit(main())
