/** Drafting: writes and revises plans with a model, and answers previews. */
import type { Agents, ToolSpec } from "@planwright/plan";
import { parseWorkSubject, PLANNER_QUEUE, type Registry } from "@planwright/shared/bus";
import { HANDLE_TASKS, type JobDeps, modelJob, watchWork } from "@planwright/shared/jobs";
import { type AckRenewal, consumeWork } from "@planwright/shared/queue";
import type { DataSource } from "@planwright/shared/tools";
import type { DraftFormat } from "../drafting/draft-request.ts";
import { createOffers } from "../drafting/offer.ts";
import { draftPlan } from "./draft-plan.ts";
import { servePreviews } from "./preview-plan.ts";

export type DraftingDeps = Omit<JobDeps, "stops" | "now"> & {
  readonly renewal: AckRenewal;
  readonly format?: DraftFormat;
  readonly tools: Registry<ToolSpec>;
  /** The currently announced agents; none when absent. */
  readonly agents?: () => Agents;
  readonly sources: Registry<DataSource>;
  /** The maximum number of simultaneous drafts, and of simultaneous previews. */
  readonly concurrency: number;
  readonly now?: () => Date;
};

/** Takes drafting work until disposed. Disposing finishes the drafts in progress, or hands them back after 5 s. */
export async function startDrafting(deps: DraftingDeps): Promise<AsyncDisposable> {
  const { bus, concurrency, log, workerId } = deps;
  await using stack = new AsyncDisposableStack();
  const stopping = stack.adopt(new AbortController(), (own) => own.abort());
  const offers = createOffers({ ...deps, signal: stopping.signal });
  let opened = 0;
  const newOpener = (): string => `${workerId}/${++opened}`;
  const common = { now: () => new Date(), ...deps, offers, newOpener };
  stack.use(servePreviews(common));
  const draft = modelJob({ ...common, stops: stack.use(watchWork(bus, log)) }, draftPlan(common));
  stack.use(
    await consumeWork(
      deps,
      { ...PLANNER_QUEUE, Schema: draft.Task, concurrency },
      {
        ...HANDLE_TASKS,
        async giveUpUnread(subject, cause) {
          const address = parseWorkSubject(subject);
          if (address?.kind === "draft") await draft.giveUp(address, cause);
        },
      },
    ),
  );
  return stack.move();
}
