import { type CpuByProcess, cpuBetween, foreignCores, readCpu } from "../measure/cpu-usage.ts";
import { type JetStreamFloor, startJetStreamFloor } from "../floor/start-jetstream-floor.ts";
import { type BenchSystem, type BenchSystemOptions, startBenchSystem } from "../system/start-bench-system.ts";
import { connectPlanClient, createHttpPlanClient, type PlanClient } from "../system/plan-client.ts";
import type { RunReading, WorkloadContext } from "./workload.ts";

/**
 * How a workload of light steps is run: `fused` is the default configuration, over one WebSocket; `unfused` sends each step
 * alone (`FUSION=off`); `http` submits each plan by a POST and reads its events from a stream.
 */
export type Variant = "fused" | "unfused" | "http";

/** The name of a workload in one of its variants. */
export function variantName(name: string, variant: Variant): string {
  return variant === "fused" ? name : `${name}-${variant}`;
}

export type Stage = {
  readonly system: BenchSystem;
  readonly client: PlanClient;
  readonly floor: JetStreamFloor;
};

/** The result of a run on the system. */
type OwnReading = Pick<RunReading, "values" | "samples"> & {
  /** The divisor for the processor time; absent when processes end during the run, which loses their counts. */
  readonly steps?: number;
};

/**
 * Starts a separate system and the floor beside it, warms both up, and measures run after run. Both stay up, so that the
 * system's and the floor's part of a run share the same conditions.
 *
 * @param ours - One run on the system; its processor time is divided by the steps that it returns.
 * @param beside - The measurement on the floor in the same run.
 */
export async function* withSystem(
  { runs, profileDir, say }: WorkloadContext,
  {
    variant = "fused",
    system: systemOptions,
    warmUp,
    ours,
    beside = async () => ({}),
  }: {
    variant?: Variant;
    system?: BenchSystemOptions;
    warmUp: (stage: Stage) => Promise<unknown>;
    ours: (stage: Stage) => Promise<OwnReading>;
    beside?: (stage: Stage) => Promise<Record<string, number>>;
  },
): AsyncGenerator<RunReading> {
  await using cleanup = new AsyncDisposableStack();
  const floor = cleanup.use(await startJetStreamFloor());
  const system = cleanup.use(
    await startBenchSystem({
      ...systemOptions,
      ...(variant === "unfused" ? { env: { FUSION: "off" } } : {}),
      profileDir,
    }),
  );
  const client = cleanup.use(
    variant === "http" ? createHttpPlanClient(system.url) : await connectPlanClient(system.url),
  );
  const stage = { system, client, floor };
  say("warming up");
  await warmUp(stage);
  for (let run = 1; run <= runs; run += 1) {
    say(`run ${run} of ${runs}`);
    const floors = await beside(stage);
    const before = await readCpu(system.processes());
    const { values, samples, steps } = await ours(stage);
    const after = await readCpu(system.processes());
    yield {
      values: { ...values, ...floors },
      ...(samples === undefined ? {} : { samples }),
      ...(steps === undefined
        ? {}
        : {
            cpuMsPerStep: perStep(cpuBetween(before, after), steps),
            foreignCores: foreignCores(before, after),
          }),
    };
  }
}

function perStep(used: CpuByProcess, steps: number): CpuByProcess {
  return Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / steps]));
}
