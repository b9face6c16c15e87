#!/usr/bin/env python3
"""Estimates the time that many books take on many machines, from the journal of a run:

    Benchmarks/simulate_cluster.py JOURNAL [--books N] [--machines 1,10,100] [--processors N] [--parts-per-machine N]
        [--start S] [--list S] [--seed N]

It draws books from the journal, with their bytes and their processor time. It divides them into parts as --shard does: the
largest book first, each to the part with the fewest bytes. Each part is a task of an engine. A machine that is free takes the
next task. A task costs its start (--start), the listing of the whole shelf (--list for each book), and the processor time
of its books on all processors of the machine. Disks and networks are not simulated.
"""
import argparse
import heapq
import json
import random


def read(path):
    """The books of a journal: bytes, pages, processor seconds."""
    books = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            if entry.get("outcome") in ("done", "warnings"):
                size = sum(one["bytes"] or 0 for one in entry["inputs"])
                books[entry["inputs"][0]["path"]] = (size, entry["pages"], entry["processorSeconds"])
    return sorted(books.values(), reverse=True)


def parts(books, count):
    """The processor seconds of each part, and those of its slowest book."""
    loads = [(0, part) for part in range(count)]
    seconds, longest = [0.0] * count, [0.0] * count
    for size, _, time in books:
        load, part = loads[0]
        heapq.heapreplace(loads, (load + size + 1, part))
        seconds[part] += time
        longest[part] = max(longest[part], time)
    return list(zip(seconds, longest))


def makespan(tasks, machines, processors, fixed):
    """The seconds until the last task has ended."""
    free = [0.0] * min(machines, len(tasks))
    for seconds, longest in tasks:
        # A book alone uses all processors too, but not perfectly: half of them is assumed.
        own = max(seconds / processors, longest / max(1, processors / 2))
        heapq.heapreplace(free, free[0] + fixed + own)
    return max(free)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("journal")
    parser.add_argument("--books", type=int, default=1_000_000)
    parser.add_argument("--machines", default="1,2,5,10,20,50,100,200,500,1000")
    parser.add_argument("--processors", type=int, default=2)
    parser.add_argument("--parts-per-machine", type=int, default=4)
    parser.add_argument("--start", type=float, default=2.0, help="the seconds that an engine needs to start a task")
    parser.add_argument("--list", type=float, default=0.0005, help="the seconds to find and divide a book of the shelf")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    known = read(given.journal)
    pages, seconds = sum(book[1] for book in known), sum(book[2] for book in known)
    print(
        f"{len(known)} books of {pages / len(known):.1f} pages and {sum(book[0] for book in known) / len(known) / 1e6:.2f} MB: "
        f"{1000 * seconds / len(known):.1f} ms of processor time a book, {1000 * seconds / pages:.1f} ms a page")
    books = random.Random(given.seed).choices(known, k=given.books)
    books.sort(reverse=True)
    fixed = given.start + given.list * given.books
    print("| Machines | Parts | Time | Books a second | Of linear |\n|---|---|---|---|---|")
    alone = None
    for machines in map(int, given.machines.split(",")):
        count = machines * given.parts_per_machine
        time = makespan(parts(books, count), machines, given.processors, fixed)
        # One machine needs no parts.
        alone = alone or makespan(parts(books, 1), 1, given.processors, fixed)
        print(
            f"| {machines} | {count} | {time / 3600:.2f} h | {given.books / time:,.0f} | "
            f"{100 * alone / time / machines:.0f} % |")


if __name__ == "__main__":
    main()
