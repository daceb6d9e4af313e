/** A workload: its runs, the results of each run, and its headline metric. */
import type { CpuByProcess } from "../measure/cpu-usage.ts";

export type MetricSpec = {
  readonly label: string;
  readonly unit: "ms" | "s" | "%" | "1/s" | "MiB" | "";
  readonly better: "lower" | "higher";
  /** The value to reach. */
  readonly target?: number;
};

/** One run of a workload. */
export type RunReading = {
  /** By the key of its metric. */
  readonly values: Readonly<Record<string, number>>;
  /** The samples from which the values were computed, by name. */
  readonly samples?: Readonly<Record<string, readonly number[]>>;
  /** Processor milliseconds for each step, by process. */
  readonly cpuMsPerStep?: CpuByProcess;
  /** Number of cores kept busy by other programs meanwhile. */
  readonly foreignCores?: number | undefined;
};

export type WorkloadContext = {
  readonly runs: number;
  /** Number of stored plans, for workloads that depend on it. */
  readonly plans: number;
  /** Number of questions from each data set, for workloads with questions. */
  readonly questions: number;
  /** The folder for the services' processor profiles; absent: no profiles. */
  readonly profileDir: string | undefined;
  /** Reports progress to the user. */
  readonly say: (line: string) => void;
};

export type Workload = {
  readonly name: string;
  /** A one-line description. */
  readonly title: string;
  /** The warm-up. */
  readonly warmUp: string;
  /** Set if all plans are alike. */
  readonly stepsPerPlan?: number;
  /** The first is the headline. */
  readonly metrics: Readonly<Record<string, MetricSpec>>;
  /** Metrics of the same run to compare the headline with. */
  readonly floors?: readonly string[];
  /** Yields one reading per run; a single one if the questions are the sample. */
  readonly measure: (context: WorkloadContext) => AsyncIterable<RunReading>;
};
