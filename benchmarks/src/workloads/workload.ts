/** What a workload is: how often it is run, what each run yields, and which of its figures is the headline. */
import type { CpuByProcess } from "../measure/cpu-usage.ts";

export type MetricSpec = {
  readonly label: string;
  readonly unit: "ms" | "s" | "%" | "1/s" | "MiB" | "";
  readonly better: "lower" | "higher";
  /** What has to be reached. */
  readonly target?: number;
};

/** One run of a workload. */
export type RunReading = {
  /** By the key of its metric. */
  readonly values: Readonly<Record<string, number>>;
  /** What the values were computed from, by name. */
  readonly samples?: Readonly<Record<string, readonly number[]>>;
  /** Processor milliseconds for each step, by process. */
  readonly cpuMsPerStep?: CpuByProcess;
  /** How many cores other programs kept busy meanwhile. */
  readonly foreignCores?: number | undefined;
};

export type WorkloadContext = {
  readonly runs: number;
  /** How many plans are stored where that is what counts. */
  readonly plans: number;
  /** How many questions of each data set are asked where there are questions. */
  readonly questions: number;
  /** Where the services write their processor profiles; absent: none are taken. */
  readonly profileDir: string | undefined;
  /** Tells a person how far it is. */
  readonly say: (line: string) => void;
};

export type Workload = {
  readonly name: string;
  /** What is done, in one line. */
  readonly title: string;
  /** What runs before anything counts. */
  readonly warmUp: string;
  /** Where all plans are alike. */
  readonly stepsPerPlan?: number;
  /** The first is the headline. */
  readonly metrics: Readonly<Record<string, MetricSpec>>;
  /** Metrics of the same run that the headline is compared with. */
  readonly floors?: readonly string[];
  /** Yields one reading a run; one in all where the questions are the sample. */
  readonly measure: (context: WorkloadContext) => AsyncIterable<RunReading>;
};
