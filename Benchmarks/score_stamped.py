"""Judges what jisui makes of the PDFs of `make_stamped.py`, with other programs.

    score_stamped.py JISUI DIR [--times 3]

For each kind, over all scans:

wrong    coefficients that differ in blocks over which nothing lies, and pixels beyond the ring of a pixel around them: none may
PSNR     of the blocks that were encoded anew, against poppler's drawing on the scan's pixels; the least, in dB
bytes    those of the output to those of the scan alone: `jpegtran -optimize` for JPEGs, else what jisui makes of the scan alone; the most
time     that of `--pages-as auto` to that of `--pages-as page`; the median
SSIM     of auto and of page at 150 dpi, each to poppler's and mupdf's drawing; the least, and by how much auto is below page at most
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy

import make_stamped
from stamped import judging, overlays


# Pixels at the edges of an opaque box that share a block with what lies around it.
EDGE = 16


def convert(jisui, pdf, folder, *options):
    """The picture that a PDF of one page becomes, its line of the report, and the seconds that it took."""
    report = folder / "report.json"
    start = time.monotonic()
    subprocess.run(
        [jisui, pdf, "-o", f"{folder}/pages/", "--force", "-q", "--report", report, *options], check=False,
        capture_output=True)
    seconds = time.monotonic() - start
    page = json.loads(report.read_text())["pages"][0]
    return folder / "pages" / page["output"], page, seconds


def judged(jisui, path, plain, folder, times):
    """The figures of one PDF."""
    picture, page, _ = convert(jisui, path, folder)
    scores = {"treatment": page["treatment"], "pixels": judging.decoded(picture), "bytes": picture.stat().st_size}
    kept = folder / f"kept{picture.suffix}"
    kept.write_bytes(picture.read_bytes())
    drawn, _, _ = convert(jisui, path, folder, "--pages-as", "page", "--image-format", "png")
    page_pixels = judging.decoded(drawn)
    ratios = []
    for _ in range(times):
        ratios.append(convert(jisui, path, folder)[2] / convert(jisui, path, folder, "--pages-as", "page")[2])
    scores["time"] = statistics.median(ratios)
    for name, draw in (("poppler", judging.poppler), ("mupdf", judging.mupdf)):
        reference = draw(path)
        auto, whole = judging.similarity(scores["pixels"], reference), judging.similarity(page_pixels, reference)
        scores[f"{name}"] = (auto, whole - auto)
    if plain is None or page["treatment"] not in ("patched", "verbatim", "lossless"):
        return scores
    size = scores["pixels"].shape[1::-1]
    alone, _, _ = convert(jisui, plain, folder)
    if judging.decoded(alone).shape != scores["pixels"].shape:
        return scores
    truth = judging.poppler(path, size)
    painted = judging.painted(path, plain, size)
    if kept.suffix == ".jpg" and alone.suffix == ".jpg":
        scores["ratio"] = scores["bytes"] / judging.optimized(alone.read_bytes())
        patch = judging.Patch(alone, kept, painted)
        inside, outside, wrong = patch.inside, patch.outside, patch.wrong
    else:
        scores["ratio"] = scores["bytes"] / alone.stat().st_size
        inside, outside, wrong = painted, ~painted, 0
    before = judging.decoded(alone)
    scores["wrong"] = wrong + int((before != scores["pixels"])[outside].any(axis=-1).sum())
    if inside.any():
        error = ((scores["pixels"] - truth)[inside].astype(float) ** 2).mean()
        scores["PSNR"] = 99.0 if error == 0 else 10 * numpy.log10(255 ** 2 / error)
    return scores


def hidden(scores, pdf):
    """How many pixels below the opaque box, but those at its edge, are not black."""
    import pikepdf
    with pikepdf.open(pdf) as document:
        box = [float(value) for value in document.pages[0].MediaBox]
    height, width = scores["pixels"].shape[:2]
    left, bottom, across, up = overlays.BOX(box[2], box[3])
    scale = (width / box[2], height / box[3])
    rows = slice(int(height - (bottom + up) * scale[1]) + EDGE, int(height - bottom * scale[1]) - EDGE)
    columns = slice(int(left * scale[0]) + EDGE, int((left + across) * scale[0]) - EDGE)
    return int((scores["pixels"][rows, columns] > 8).any(axis=2).sum())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("jisui")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=3, help="pairs of runs for the time")
    options = parser.parse_args()
    kinds, uncovered = defaultdict(list), 0
    for path in sorted(options.folder.glob("*.pdf")):
        name, kind = path.name.removesuffix(".pdf").rsplit(".", 1)
        if kind.startswith("plain"):
            continue
        storing = kind.removeprefix("text") if kind.startswith("text-") else ""
        overlay = storing or any(kind == make_stamped.overlay_name(each) for each in overlays.OVERLAYS)
        plain = options.folder / f"{name}.plain{storing}.pdf" if overlay else Path("none")
        with tempfile.TemporaryDirectory() as folder:
            scores = judged(options.jisui, path, plain if plain.exists() else None, Path(folder), options.times)
        if kind == "box":
            uncovered += hidden(scores, path)
        del scores["pixels"]
        kinds[kind].append(scores)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)

    def over(rows, key, choose, form):
        values = [row[key] for row in rows if key in row]
        return form.format(choose(values)) if values else "-"

    print("| kind | PDFs | treatment | wrong | PSNR, dB | bytes | time | SSIM poppler | below page | SSIM mupdf | below page |")
    print("|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for kind, rows in kinds.items():
        treatments = ", ".join(sorted({row["treatment"] for row in rows}))
        similar = " | ".join(
            f"{min(row[name][0] for row in rows):.4f} | {max(row[name][1] for row in rows):.4f}"
            for name in ("poppler", "mupdf"))
        print(
            f"| {kind} | {len(rows)} | {treatments} | {over(rows, 'wrong', sum, '{}')} | "
            f"{over(rows, 'PSNR', min, '{:.1f}')} | {over(rows, 'ratio', max, '{:.3f}')} | "
            f"{over(rows, 'time', statistics.median, '{:.2f}')} | {similar} |")
    print(f"\nPixels below opaque boxes that can be seen: {uncovered}")


if __name__ == "__main__":
    main()
