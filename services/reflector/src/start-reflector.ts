import { CritiqueWork, FactsWork, JoinWork, ReviewWork } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import {
  type Bus,
  FACTS_QUEUE,
  parseWorkSubject,
  type Publish,
  REFLECTOR_QUEUE,
  type StopHints,
  watchStops,
} from "@planwright/shared/bus";
import type { ModelClient } from "@planwright/shared/model";
import { type AckRenewal, consumeWork, createTurns, type WorkContext } from "@planwright/shared/queue";
import type { Logger } from "@planwright/shared/service";
import type { Telemetry } from "@planwright/shared/telemetry";
import { giveUpFacts, processOutput } from "./facts/process-output.ts";
import { z } from "zod";
import { giveUpJoin, joinResults } from "./join-results.ts";
import { giveUpDraftReview, reviewDraft } from "./review/review-draft.ts";
import { giveUpReview, reviewStep } from "./review/review-step.ts";

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

export type JoinDeps = ReflectorDeps & { readonly stops: StopHints };

const ReflectWork = z.union([JoinWork, ReviewWork, CritiqueWork]);
type ReflectWork = z.infer<typeof ReflectWork>;

/** Judges the results of plans, and of steps, until disposed. Disposing finishes what is in hand, or hands it back after 5 s. */
export async function startReflector(deps: ReflectorDeps): Promise<AsyncDisposable> {
  const { bus, concurrency } = deps;
  await using stack = new AsyncDisposableStack();
  const stops = stack.use(watchStops(bus));
  const turns = createTurns();
  const queue = { ...REFLECTOR_QUEUE, Schema: ReflectWork, concurrency };
  stack.use(
    await consumeWork({ ...deps, turns }, queue, {
      handle: (work, context) => reflect({ ...deps, stops }, work, context),
      giveUp: (work, cause) => giveUp(deps, work, cause),
      async giveUpUnread(subject, cause) {
        const address = parseWorkSubject(subject);
        if (address?.kind === "join") await giveUpJoin(deps, address, cause);
        else if (address?.kind === "review") await giveUpReview(deps, address, cause);
        else if (address?.kind === "critique") await giveUpDraftReview(deps, address, cause);
      },
    }),
  );
  const facts = { ...FACTS_QUEUE, Schema: FactsWork, concurrency };
  stack.use(
    await consumeWork({ ...deps, turns }, facts, {
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

function reflect(deps: JoinDeps, work: ReflectWork, context: WorkContext): Promise<void> {
  if ("join" in work) return joinResults(deps, work, context);
  return "of" in work ? reviewDraft(deps, work, context) : reviewStep(deps, work, context);
}

function giveUp(deps: ReflectorDeps, work: ReflectWork, cause: string): Promise<void> {
  if ("join" in work) return giveUpJoin(deps, work, cause);
  return "of" in work ? giveUpDraftReview(deps, work, cause) : giveUpReview(deps, work, cause);
}
