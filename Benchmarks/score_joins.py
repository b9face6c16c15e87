#!/usr/bin/env python3
"""How well pairs of pages were found that share one drawing.

  python3 score_joins.py TRUTH FOUND [TRUTH FOUND …]

TRUTH is a truth.json of make_joins.py. FOUND is what `jisui … --spreads join-art --dry-run --spread-file FOUND` writes.
Prints precision and recall, altogether and for every kind of art, what was wrongly joined, and, with confidences, how
often they were right.
"""
import collections, json, sys


def read(path):
    with open(path) as f:
        found = json.load(f)
    return {s["pages"][0]: s["confidence"] for s in found["spreads"] if s.get("join")}


def main(paths):
    hits, misses, wrong = collections.Counter(), collections.Counter(), collections.Counter()
    lost, trust = [], collections.defaultdict(list)
    for truth_path, found_path in zip(paths[::2], paths[1::2]):
        with open(truth_path) as f:
            truth = json.load(f)
        pairs, found = {p["first"]: p for p in truth["pairs"]}, read(found_path)
        for first, pair in pairs.items():
            (hits if first in found else misses)[pair["kind"]] += 1
            if first not in found:
                lost.append(f'  {truth_path} {first}: {pair["kind"]}, {100 * pair.get("lost", 0):.1f} % lost')
        for first, confidence in found.items():
            trust[min(9, int(confidence * 10))].append(first in pairs)
            if first not in pairs:
                kinds = truth["pages"][first - 1:first + 1]
                wrong[" | ".join(dict.fromkeys(kinds))] += 1
                lost.append(f"  {truth_path} {first}: WRONG, {confidence:.2f}: {' | '.join(kinds)}")
    right, false = sum(hits.values()), sum(wrong.values())
    there = right + sum(misses.values())
    print(f"precision {right}/{right + false} = {right / max(1, right + false):.3f}   "
          f"recall {right}/{there} = {right / max(1, there):.3f}")
    for kind in sorted(set(hits) | set(misses)):
        print(f"  {kind:24} {hits[kind]:4} of {hits[kind] + misses[kind]}")
    for kind, count in wrong.most_common():
        print(f"  wrongly joined: {kind}: {count}")
    print("confidence:", "  ".join(f"{k / 10:.1f} {sum(v)}/{len(v)}" for k, v in sorted(trust.items())))
    print("\n".join(sorted(lost)))


if __name__ == "__main__":
    if len(sys.argv) < 3 or len(sys.argv) % 2 == 0:
        sys.exit(__doc__)
    main(sys.argv[1:])
