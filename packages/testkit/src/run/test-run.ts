/** Counts what a test run starts, over all its processes: systems, servers and browsers take most of its time. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** The variable with the file in which the processes of a test run record what they start. */
export const TEST_RUN_STARTS = "PLANWRIGHT_TEST_RUN_STARTS";

/** The folder for files that are removed after the test run; outside a test run, the folder for temporary files. */
export function runFolder(): string {
  const file = process.env[TEST_RUN_STARTS];
  return file === undefined ? os.tmpdir() : path.dirname(file);
}

export type Started = "whole system" | "nats-server" | "nats-server restart" | "nats cluster" | "browser";

/** Counts one start; does nothing outside a test run. */
export function noteStart(what: Started): void {
  const file = process.env[TEST_RUN_STARTS];
  if (file !== undefined) appendFileSync(file, `${what}\n`);
}

/**
 * How much a run of `npm test` can start: more would cost it minutes. A restarted server, or one that replaces a server of
 * the same process that has ended, counts as a restart, which has no limit: some tests restart theirs continuously.
 */
export const STARTS_MAX: Readonly<Partial<Record<string, number>>> = {
  "whole system": 16,
  "nats-server": 30,
  "nats cluster": 3,
};

/** The starts recorded by the processes of the run, by kind; empty before the first one. */
export function readStarts(file: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (!existsSync(file)) return counts;
  for (const what of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}

/** The summary at the end of the run: "started: 4 nats-servers, 2 whole systems". */
export function summaryOfStarts(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].map(([what, count]) => `${count} ${what}${count === 1 ? "" : "s"}`);
  return `started: ${parts.toSorted().join(", ") || "nothing"}`;
}

/** One line for each kind that exceeds {@link STARTS_MAX}. */
export function excessOfStarts(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].flatMap(([what, count]) => {
    const max = STARTS_MAX[what] ?? Number.POSITIVE_INFINITY;
    if (count <= max) return [];
    return `the run started ${count} ${what}s, more than the ${max} it may: share one (see CONTRIBUTING.md)`;
  });
}
