/** The result of one workload's runs: the JSON line, and with its samples the stored file. */
import { z } from "zod";
import { Machine } from "../measure/machine.ts";
import { rounded, summaryOf } from "../measure/statistics.ts";
import type { RunReading, Workload } from "../workloads/workload.ts";

const Figures = z.object({ median: z.number(), min: z.number(), max: z.number() });

const Metric = Figures.extend({
  key: z.string(),
  label: z.string(),
  unit: z.string(),
  better: z.enum(["lower", "higher"]),
  target: z.number().optional(),
  runs: z.array(z.number()),
});
export type Metric = z.infer<typeof Metric>;

export const Result = z.object({
  workload: z.string(),
  title: z.string(),
  at: z.iso.datetime(),
  runs: z.int(),
  warmUp: z.string(),
  /** The first is the headline. */
  metrics: z.array(Metric).min(1),
  floors: z.array(z.string()),
  stepsPerPlan: z.int().optional(),
  /** Median of the runs, by process. */
  cpuMsPerStep: z.record(z.string(), z.number()),
  /** Load average of the last minute, at the start and at the end. */
  load: z.tuple([z.number(), z.number()]),
  /** Cores kept busy by other programs meanwhile: median of the runs; absent where the machine does not report it. */
  foreignCores: z.number().optional(),
  machine: Machine,
});
export type Result = z.infer<typeof Result>;

export const ResultFile = Result.extend({
  /** Raw samples of each run. */
  samples: z.array(z.record(z.string(), z.array(z.number()))),
});
export type ResultFile = z.infer<typeof ResultFile>;

/** @throws {RangeError} Without readings, or when one lacks a metric of its workload. */
export function resultOf(
  { name, title, warmUp, stepsPerPlan, metrics, floors = [] }: Workload,
  readings: readonly RunReading[],
  about: Pick<Result, "at" | "load" | "machine">,
): ResultFile {
  const foreign = readings.flatMap(({ foreignCores }) => (foreignCores === undefined ? [] : [foreignCores]));
  const processes = new Set(readings.flatMap(({ cpuMsPerStep = {} }) => Object.keys(cpuMsPerStep)));
  const cpuOf = (process: string) => readings.map(({ cpuMsPerStep }) => cpuMsPerStep?.[process] ?? 0);
  return {
    workload: name,
    title,
    runs: readings.length,
    warmUp,
    ...(stepsPerPlan === undefined ? {} : { stepsPerPlan }),
    metrics: Object.entries(metrics).map(([key, spec]) => {
      const runs = readings.map(({ values }) => rounded(valueOf(values, key)));
      return { key, ...spec, ...figuresOf(runs), runs };
    }),
    floors: [...floors],
    cpuMsPerStep: Object.fromEntries(
      [...processes].map((process) => [process, figuresOf(cpuOf(process)).median]),
    ),
    ...(foreign.length === 0 ? {} : { foreignCores: figuresOf(foreign).median }),
    ...about,
    samples: readings.map(({ samples = {} }) =>
      Object.fromEntries(Object.entries(samples).map(([key, values]) => [key, values.map(rounded)])),
    ),
  };
}

/** The line on stdout: everything but the raw samples. */
export function lineOf(result: ResultFile): string {
  return JSON.stringify(Result.parse(result));
}

function figuresOf(values: readonly number[]) {
  const { median, min, max } = summaryOf(values);
  return { median: rounded(median), min: rounded(min), max: rounded(max) };
}

function valueOf(values: Readonly<Record<string, number>>, key: string): number {
  const value = values[key];
  if (value === undefined) throw new RangeError(`a run has no ${key}`);
  return value;
}
