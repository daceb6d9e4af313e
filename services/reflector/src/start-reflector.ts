import { FactsWork, JoinWork } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import { type Bus, parseWorkSubject, type Publish, WORK_SUBJECTS, watchStops } from "@planwright/shared/bus";
import type { ModelClient } from "@planwright/shared/model";
import { type AckRenewal, consumeWork } from "@planwright/shared/queue";
import type { Logger } from "@planwright/shared/service";
import type { Telemetry } from "@planwright/shared/telemetry";
import { giveUpFacts, processOutput } from "./facts/process-output.ts";
import { giveUpJoin, joinResults } from "./join-results.ts";

export type ReflectorDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly renewal: AckRenewal;
  readonly artifacts: ArtifactStore;
  readonly model: ModelClient;
  readonly telemetry: Telemetry;
  readonly workerId: string;
  /** Plans judged at a time, and outputs looked at for facts at a time. */
  readonly concurrency: number;
  readonly now: () => Date;
  readonly log: Logger;
};

/** Judges the results of plans until disposed. Disposing finishes what is in hand, or hands it back after 5 s. */
export async function startReflector(deps: ReflectorDeps): Promise<AsyncDisposable> {
  const { bus, concurrency } = deps;
  await using stack = new AsyncDisposableStack();
  const stops = stack.use(watchStops(bus));
  const queue = { durable: "reflector", filter: WORK_SUBJECTS.join, Schema: JoinWork, concurrency };
  stack.use(
    await consumeWork(deps, queue, {
      handle: (work, context) => joinResults({ ...deps, stops }, work, context),
      giveUp: (work, cause) => giveUpJoin(deps, work, cause),
      async giveUpUnread(subject, cause) {
        const address = parseWorkSubject(subject);
        if (address?.kind === "join") await giveUpJoin(deps, address, cause);
      },
    }),
  );
  const facts = { durable: "processor", filter: WORK_SUBJECTS.facts, Schema: FactsWork, concurrency };
  stack.use(
    await consumeWork(deps, facts, {
      handle: (work, context) => processOutput({ ...deps, stops }, work, context),
      giveUp: (work, cause) => giveUpFacts(deps, work, cause),
      async giveUpUnread(subject, cause) {
        const address = parseWorkSubject(subject);
        if (address?.kind === "facts") await giveUpFacts(deps, address, cause);
      },
    }),
  );
  return stack.move();
}
