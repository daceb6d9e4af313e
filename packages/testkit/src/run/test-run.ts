/** What a test run starts, counted over all its processes: whole systems, servers and browsers are what its time goes into. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** The variable that names the file in which the processes of a test run note what they start. */
export const TEST_RUN_STARTS = "PLANWRIGHT_TEST_RUN_STARTS";

/** Where the test processes of a run keep what has to be gone after it; outside a test run the folder for temporary files. */
export function runFolder(): string {
  const file = process.env[TEST_RUN_STARTS];
  return file === undefined ? os.tmpdir() : path.dirname(file);
}

export type Started = "whole system" | "nats-server" | "nats-server restart" | "nats cluster" | "browser";

/** Counts one start; nothing outside a test run. */
export function noteStart(what: Started): void {
  const file = process.env[TEST_RUN_STARTS];
  if (file !== undefined) appendFileSync(file, `${what}\n`);
}

/**
 * How much a run of `npm test` may start: what is above costs it minutes. A server that starts again, or that replaces one of the
 * same process that has ended, is counted as a restart, which has no limit: some tests restart theirs as long as they run.
 */
export const STARTS_MAX: Readonly<Partial<Record<string, number>>> = {
  "whole system": 16,
  "nats-server": 30,
  "nats cluster": 3,
};

/** What the processes of the run have noted, by kind; nothing before a run has begun to note. */
export function readStarts(file: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (!existsSync(file)) return counts;
  for (const what of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}

/** A line for the end of the run: "started: 4 nats-servers, 2 whole systems". */
export function summaryOfStarts(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].map(([what, count]) => `${count} ${what}${count === 1 ? "" : "s"}`);
  return `started: ${parts.toSorted().join(", ") || "nothing"}`;
}

/** One line for each kind of which there are more than {@link STARTS_MAX} allows. */
export function excessOfStarts(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].flatMap(([what, count]) => {
    const max = STARTS_MAX[what] ?? Number.POSITIVE_INFINITY;
    if (count <= max) return [];
    return `the run started ${count} ${what}s, more than the ${max} it may: share one (see CONTRIBUTING.md)`;
  });
}
