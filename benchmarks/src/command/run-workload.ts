import os from "node:os";
import path from "node:path";
import type { Machine } from "../measure/machine.ts";
import { type ResultFile, resultOf } from "../report/result.ts";
import type { RunReading, Workload, WorkloadContext } from "../workloads/index.ts";

/** Runs one workload the requested number of times, and reports progress on stderr. */
export async function runWorkload(
  workload: Workload,
  {
    machine,
    profileDir,
    ...asked
  }: Pick<WorkloadContext, "runs" | "plans" | "questions" | "profileDir"> & { readonly machine: Machine },
): Promise<ResultFile> {
  const { name } = workload;
  const at = new Date().toISOString();
  const before = loadOfMinute();
  const readings: RunReading[] = [];
  const measuring = workload.measure({
    ...asked,
    profileDir: profileDir === undefined ? undefined : path.join(profileDir, name),
    say: (line) => console.error(`[${name}] ${line}`),
  });
  for await (const reading of measuring) readings.push(reading);
  return resultOf(workload, readings, { at, load: [before, loadOfMinute()], machine });
}

function loadOfMinute(): number {
  return Math.round((os.loadavg()[0] ?? 0) * 100) / 100;
}
