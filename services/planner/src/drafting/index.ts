/** Drafting: writes and revises plans with a model, and answers previews. */
import { type Agents, DraftWork, type ToolSpec } from "@planwright/plan";
import {
  type Bus,
  parseWorkSubject,
  type Publish,
  type Registry,
  PLANNER_QUEUE,
  watchStops,
} from "@planwright/shared/bus";
import type { ModelClient } from "@planwright/shared/model";
import { type AckRenewal, consumeWork } from "@planwright/shared/queue";
import type { Logger } from "@planwright/shared/service";
import type { Telemetry } from "@planwright/shared/telemetry";
import type { DataSource } from "@planwright/shared/tools";
import { type DraftPlanDeps, draftPlan, giveUpDraft } from "./draft-plan.ts";
import { createOffers } from "./offer.ts";
import { servePreviews } from "./serve-previews.ts";

export type DraftingDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly renewal: AckRenewal;
  readonly model: ModelClient;
  readonly telemetry: Telemetry;
  readonly tools: Registry<ToolSpec>;
  /** As they are announced now; none when absent. */
  readonly agents?: () => Agents;
  readonly sources: Registry<DataSource>;
  /** Different for each process, also for one that takes the place of another. */
  readonly workerId: string;
  /** Drafts at a time, and previews at a time. */
  readonly concurrency: number;
  readonly log: Logger;
  readonly now?: () => Date;
};

/** Takes drafting work until disposed. Disposing finishes the drafts in hand, or hands them back after 5 s. */
export async function startDrafting(deps: DraftingDeps): Promise<AsyncDisposable> {
  const { bus, concurrency } = deps;
  await using stack = new AsyncDisposableStack();
  const stopping = stack.adopt(new AbortController(), (own) => own.abort());
  const offers = createOffers({ ...deps, signal: stopping.signal });
  const stops = stack.use(watchStops(bus));
  let opened = 0;
  const newOpener = (): string => `${deps.workerId}/${++opened}`;
  const draftDeps: DraftPlanDeps = { now: () => new Date(), ...deps, offers, stops, newOpener };
  stack.use(servePreviews({ ...deps, offers }));
  const queue = { ...PLANNER_QUEUE, Schema: DraftWork, concurrency };
  stack.use(
    await consumeWork(deps, queue, {
      handle: (work, context) => draftPlan(draftDeps, work, context),
      giveUp: (work, cause) => giveUpDraft(draftDeps, work, cause),
      async giveUpUnread(subject, cause) {
        const address = parseWorkSubject(subject);
        if (address?.kind === "draft") await giveUpDraft(draftDeps, address, cause);
      },
    }),
  );
  return stack.move();
}
