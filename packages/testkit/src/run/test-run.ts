/** What a test run starts, counted over all its processes: whole systems, servers and browsers are what its time goes into. */
import { appendFileSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** The variable that names the file in which the processes of a test run note what they start. */
export const TEST_RUN_STARTS = "PLANWRIGHT_TEST_RUN_STARTS";

/** Where the test processes of a run keep what has to be gone after it; outside a test run the folder for temporary files. */
export function runFolder(): string {
  const file = process.env[TEST_RUN_STARTS];
  return file === undefined ? os.tmpdir() : path.dirname(file);
}

export type Started = "whole system" | "nats-server" | "browser";

/** Counts one start; nothing outside a test run. */
export function noteStart(what: Started): void {
  const file = process.env[TEST_RUN_STARTS];
  if (file !== undefined) appendFileSync(file, `${what}\n`);
}

/** What was noted, as a line for the end of the run: "started: 4 nats-servers, 2 whole systems". */
export function summaryOfStarts(file: string): string {
  const counts = new Map<string, number>();
  for (const what of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const parts = [...counts].map(([what, count]) => `${count} ${what}${count === 1 ? "" : "s"}`);
  return `started: ${parts.toSorted().join(", ") || "nothing"}`;
}
