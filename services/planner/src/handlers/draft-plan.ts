/** Writes one draft of a plan, step by step into the plan's log. */
import { DraftWork } from "@planwright/plan";
import {
  type Asking,
  type JobDeps,
  LostWorkError,
  type ModelJob,
  type Untraced,
  UnwantedError,
} from "@planwright/shared/jobs";
import { createDraftLog } from "../drafting/draft-log.ts";
import type { DraftFormat, DraftRequest } from "../drafting/draft-request.ts";
import { type EndedDraft, endDraft, metered } from "../drafting/end-draft.ts";
import type { Offers } from "../drafting/offer.ts";
import { requestFor } from "../drafting/request-for.ts";
import { type HandedDraft, writeDraft } from "../drafting/write-draft.ts";

type Work = Untraced<DraftWork>;

export type DraftPlanDeps = Pick<JobDeps, "publish" | "workerId" | "now" | "log"> & {
  readonly format?: DraftFormat;
  readonly offers: Offers;
  /** Different at every call, in every process. */
  readonly newOpener: () => string;
};

/**
 * The first planner to open the draft in the log writes it. If that planner dies, the next one ends the draft, and the plan
 * requests another.
 */
export function draftPlan(deps: DraftPlanDeps): ModelJob<Work, HandedDraft> {
  return {
    Schema: DraftWork,
    destination: "work.plan",
    consumer: "planner",
    attributes: ({ draft }) => ({ "plan.draft": draft }),
    span: ({ draft }, { planId, drafting }) => ({
      name: "plan",
      attributes: {
        "gen_ai.operation.name": "plan",
        "gen_ai.agent.name": "planner",
        "plan.id": planId,
        "plan.revision": drafting.revision,
        "plan.draft": draft,
      },
    }),
    interrupted: "the planner that wrote the draft stopped before it was complete",
    claims: true,
    modelWork: ({ draft }) => ({ kind: "draft", draft }),
    // All drafts of one revision share the allowance of calls that a server may fail; the calls of a planner that died are
    // estimated.
    tried: ({ drafting: { tries: tried, interruptions } }) => ({
      tried,
      deliveries: tried === undefined ? interruptions + 1 : 1,
    }),

    async ask({ span, ...asking }) {
      const { work, plan, context, model, trace, signal } = asking;
      const request = plan.drafting.phase === "open" ? undefined : await openDraft(deps, asking);
      if (request === undefined) {
        // A first delivery that finds its draft open is a duplicate: the draft's own worker is alive.
        throw context.deliveries > 1
          ? new LostWorkError()
          : new UnwantedError("another planner writes the draft");
      }
      span.setAttributes({ "plan.strategy": request.strategy });
      const draftLog = createDraftLog(work, { ...deps, trace });
      return writeDraft(request, {
        model,
        ...(deps.format === undefined ? {} : { format: deps.format }),
        trace,
        signal,
        onSteps: (planned) => draftLog.plan(planned),
        onMended: (mends) =>
          deps.log.info({ planId: plan.planId, draft: request.draft, mends }, "draft repaired"),
      });
    },

    async record({ work, plan, trace, ...came }) {
      const draft = endOf(work, came);
      const { held = [] } = came.outcome ?? {};
      await endDraft(draft, plan, { draftLog: createDraftLog(work, { ...deps, trace }), held });
      return { "plan.draft.outcome": draft.status };
    },
  };
}

type Came = Omit<Parameters<ModelJob<Work, HandedDraft>["record"]>[0], "work" | "plan">;

function endOf({ allowance }: Work, { outcome, failure, used, isSpent }: Came): EndedDraft {
  if (outcome !== undefined) {
    const { draft } = outcome;
    return allowance === undefined ? draft : metered(draft, { used, isSpent });
  }
  const { cause, message } = failure ?? { cause: "dead_lettered", message: "" };
  return cause === "dead_lettered"
    ? { status: "model_failed", message, retryable: false, ...used }
    : { status: "interrupted", message, ...used };
}

/** Decides what the draft is based on and opens it; undefined when it was opened before. */
async function openDraft(
  deps: DraftPlanDeps,
  { work, plan, context, trace }: Pick<Asking<Work>, "work" | "plan" | "context" | "trace">,
): Promise<DraftRequest | undefined> {
  const offer = await deps.offers.offer(plan.goal, context.signal);
  const { request, strategyReason, tools } = requestFor(plan, offer, context.storedAt);
  const isFirst = await createDraftLog(work, { ...deps, trace }).open(deps.newOpener(), {
    strategy: request.strategy,
    strategyReason,
    workerId: deps.workerId,
    seen: plan.seq,
    tools,
  });
  return isFirst ? request : undefined;
}
