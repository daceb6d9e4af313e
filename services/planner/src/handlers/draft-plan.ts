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
import { createDraftLog, type EndedDraft, endDraft, metered } from "../drafting/end-draft.ts";
import type { DraftFormat, DraftRequest } from "../drafting/draft-request.ts";
import type { WrittenDraft } from "../drafting/finish-draft.ts";
import type { Offers } from "../drafting/offer.ts";
import { requestFor } from "../drafting/request-for.ts";
import { writeDraft } from "../drafting/write-draft.ts";

type Work = Untraced<DraftWork>;

export type DraftPlanDeps = Pick<JobDeps, "publish" | "workerId" | "now" | "log"> & {
  readonly format?: DraftFormat;
  readonly offers: Offers;
  /** Different at every call, in every process. */
  readonly newOpener: () => string;
};

/**
 * The first planner to open the draft in the log writes it. A draft whose planner died is ended by the next one, and the plan
 * asks for another.
 */
export function draftPlan(deps: DraftPlanDeps): ModelJob<Work, WrittenDraft> {
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
    // All drafts of one revision share the calls that a server may fail; those of a planner that died are estimated.
    tried: ({ drafting: { tries: tried, interruptions } }) => ({
      tried,
      deliveries: tried === undefined ? interruptions + 1 : 1,
    }),

    async ask({ span, ...asking }) {
      const { work, plan, context, model, trace, signal } = asking;
      const request = plan.drafting.phase === "open" ? undefined : await openDraft(deps, asking);
      if (request === undefined) {
        // A first delivery that finds its draft open is a repetition: the draft's own worker lives.
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
        onStep: (planned) => draftLog.plan(planned),
        onMended: (mends) =>
          deps.log.info({ planId: plan.planId, draft: request.draft, mends }, "draft repaired"),
      });
    },

    async record({ work, plan, trace, ...came }) {
      const draft = endOf(work, came);
      await endDraft(draft, plan, createDraftLog(work, { ...deps, trace }));
      return { "plan.draft.outcome": draft.status };
    },
  };
}

type Came = Omit<Parameters<ModelJob<Work, WrittenDraft>["record"]>[0], "work" | "plan">;

function endOf({ allowance }: Work, { outcome, failure, used, isSpent }: Came): EndedDraft {
  if (outcome !== undefined) return allowance === undefined ? outcome : metered(outcome, { used, isSpent });
  const { cause, message } = failure ?? { cause: "dead_lettered", message: "" };
  return cause === "dead_lettered"
    ? { status: "model_failed", message, retryable: false, ...used }
    : { status: "interrupted", message, ...used };
}

/** Decides what the draft is written from and opens it; undefined when it was opened before. */
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
