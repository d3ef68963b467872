"""Runs checks one after the other and reports each as a line of JSON."""

import json
import sys
import time
import traceback

# kopf's runner captures what is printed later.
OUTPUT = sys.stdout


def run(checks):
    for name, check in checks:
        try:
            check()
            report = {"check": name}
        except Exception as problem:
            traceback.print_exc(file=sys.stderr)
            report = {"check": name, "problem": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(report), file=OUTPUT, flush=True)


def until(what, condition):
    """Waits for an effect and gives what the condition found."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise TimeoutError(f"not in 90 s: {what}")


def same(actual, expected):
    if actual != expected:
        raise AssertionError(f"{actual!r} is not {expected!r}")
