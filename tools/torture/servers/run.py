#!/usr/bin/env python3
"""Connects an MCP client to hostile servers and grades what it does.

Standard library only; Linux (reads /proc for memory). Every case starts a new process of the client. The client is a program that is
controlled by lines on its standard input, such as examples/client.rs of this package.

    run.py --out result.json -- ./client
    run.py --only a_duplicate_answer,html -- ./client
    run.py --list                              # the cases, and what each one asks
    run.py --table a.json b.json > table.md    # one column for each result file

Grades: OK    did what the case asks
        WEAK  ended the call, but not as the case asks (see the note)
        HANG  reported no outcome, though each call has a time limit of 3 seconds
        DEAD  the process of the client ended
        SKIP  the case cannot be run on this machine (not in the results)
Exit status: number of HANG and DEAD (with --strict also WEAK), at most 99.
"""

import argparse
import json
import os
import queue
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import http_cases  # noqa: E402
import stdio_cases  # noqa: E402
from client import Dead, Hang, Untried  # noqa: E402
from wire import Weak  # noqa: E402

CASES = stdio_cases.CASES + http_cases.CASES
GRADES = ("OK", "WEAK", "HANG", "DEAD")  # from best to worst


def run_case(spec, command, scale):
    try:
        grade, note = "OK", spec["run"](command, scale)
    except Weak as error:
        grade, note = "WEAK", str(error)
    except queue.Empty:
        grade, note = "WEAK", "a request of the server got no answer"
    except Hang as error:
        grade, note = "HANG", str(error)
    except Dead as error:
        grade, note = "DEAD", str(error)
    except Untried as error:
        grade, note = "SKIP", str(error)
    return {"id": spec["id"], "grade": grade, "note": " ".join(note.split())[:160]}


def table(files):
    columns = []
    for name in files:
        with open(name) as file:
            columns.append(json.load(file))
    out = ["| # | case | asks | " + " | ".join(c["name"] for c in columns) + " |", "|---" * (3 + len(columns)) + "|"]
    results = [{r["id"]: r for r in c["results"]} for c in columns]
    for number, spec in enumerate(CASES, 1):
        cells = []
        for column in results:
            r = column.get(spec["id"])
            cells.append(f"**{r['grade']}** {escaped(r['note'])}".strip() if r else "not tried")
        out.append(f"| {number} | {spec['id']} | {spec['asks']} | " + " | ".join(cells) + " |")
    totals = []
    for c in columns:
        grades = [r["grade"] for r in c["results"]]
        totals.append(", ".join(f"{grades.count(g)} {g}" for g in GRADES if g in grades))
    out.append("| | **total** | | " + " | ".join(totals) + " |")
    return "\n".join(out)


def is_wanted(result, args):
    """Whether a case is run again, given its result."""
    return args.new if result is None else args.again and result["grade"] != "OK"


def escaped(note):
    """For Markdown: a note quotes what a client printed."""
    for character in "\\|<>*_`[]":
        note = note.replace(character, "\\" + character)
    return note


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", help="what to call this client in tables")
    parser.add_argument("--out", help="write the results as JSON to this file")
    parser.add_argument("--again", action="store_true", help="only what is not OK in the file of --out; the better result counts")
    parser.add_argument("--new", action="store_true", help="only cases without a result in the file of --out")
    parser.add_argument("--only", help="comma-separated case names")
    parser.add_argument("--scale", type=float, default=1.0, help="stretch every wait by this factor")
    parser.add_argument("--strict", action="store_true", help="WEAK fails too")
    parser.add_argument("--list", action="store_true", help="list the cases")
    parser.add_argument("--table", nargs="+", metavar="RESULT", help="print a Markdown table of result files")
    parser.add_argument("command", nargs="*", help="the client command, after --")
    args = parser.parse_args()
    if args.list:
        for spec in CASES:
            print(f"{spec['id']:42} {spec['asks']}")
        return 0
    if args.table:
        print(table(args.table))
        return 0
    if not args.command:
        parser.error("no client command")
    only, before = args.only.split(",") if args.only else None, {}
    if args.again or args.new:
        with open(args.out) as file:
            before = {r["id"]: r for r in json.load(file)["results"]}
        only = [spec["id"] for spec in CASES if is_wanted(before.get(spec["id"]), args)]
    unknown = set(only or ()) - {spec["id"] for spec in CASES}
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    results = []
    for spec in CASES:
        if only is not None and spec["id"] not in only:
            if spec["id"] in before:
                results.append(before[spec["id"]])
            continue
        start = time.monotonic()
        result = run_case(spec, args.command, args.scale)
        result["seconds"] = round(time.monotonic() - start, 2)
        if result["grade"] in GRADES:
            results.append(min([result, before.get(spec["id"], result)], key=lambda r: GRADES.index(r["grade"])))
        print(f"{result['grade']:5} {spec['id']:42} {result['note']}  [{result['seconds']} s]", flush=True)
    if args.out:
        with open(args.out, "w") as file:
            json.dump({"name": args.name or args.command[0], "results": results}, file, indent=1)
    failing = ("HANG", "DEAD", "WEAK") if args.strict else ("HANG", "DEAD")
    return min(99, sum(r["grade"] in failing for r in results))


if __name__ == "__main__":
    sys.exit(main())
