import { type CpuByProcess, cpuBetween, foreignCores, readCpu } from "../measure/cpu-usage.ts";
import { type JetStreamFloor, startJetStreamFloor } from "../floor/start-jetstream-floor.ts";
import { type BenchSystem, type BenchSystemOptions, startBenchSystem } from "../system/start-bench-system.ts";
import { connectPlanClient, createHttpPlanClient, type PlanClient } from "../system/plan-client.ts";
import type { RunReading, WorkloadContext } from "./workload.ts";

/** The two ways to the gateway: one WebSocket for everything, or a POST and a stream of events for each plan. */
export type Via = "websocket" | "http";

export type Stage = {
  readonly system: BenchSystem;
  readonly client: PlanClient;
  readonly floor: JetStreamFloor;
};

/** What a run on the system yields. */
type OwnReading = Pick<RunReading, "values" | "samples"> & {
  /** What its processor time is divided by; absent when processes end meanwhile, and take their count along. */
  readonly steps?: number;
};

/**
 * Starts a separate system and the floor beside it, warms both up, and measures run after run. Both stay up,
 * so that ours and the floor's share of a run meet the same machine.
 *
 * @param ours - One run on the system; its processor time is divided by the steps it says.
 * @param beside - What is measured on the floor in the same run.
 */
export async function* withSystem(
  { runs, profileDir, say }: WorkloadContext,
  {
    via = "websocket",
    system: systemOptions,
    warmUp,
    ours,
    beside = async () => ({}),
  }: {
    via?: Via;
    system?: BenchSystemOptions;
    warmUp: (stage: Stage) => Promise<unknown>;
    ours: (stage: Stage) => Promise<OwnReading>;
    beside?: (stage: Stage) => Promise<Record<string, number>>;
  },
): AsyncGenerator<RunReading> {
  await using cleanup = new AsyncDisposableStack();
  const floor = cleanup.use(await startJetStreamFloor());
  const system = cleanup.use(await startBenchSystem({ ...systemOptions, profileDir }));
  const client = cleanup.use(
    via === "http" ? createHttpPlanClient(system.url) : await connectPlanClient(system.url),
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
