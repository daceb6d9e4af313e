/**
 * Previews: a request over core NATS, answered with the plan that a submission would get. Nothing is published and nothing runs.
 */
import {
  addUsage,
  ApprovalPolicy,
  type Expansion,
  GatePolicy,
  Issue,
  NO_USAGE,
  parseJson,
  PAST_PLANS_MAX,
  PastPlan,
  PlanDocument,
  PlanSize,
  SearchSettings,
  SourceName,
  Strategy,
  ToolName,
  Usage,
} from "@planwright/plan";
import type { Bus } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import { type ModelClient, ModelPatience, SpendingMeter } from "@planwright/shared/model";
import { dateOf } from "@planwright/shared/prompt";
import type { Logger } from "@planwright/shared/service";
import { extractTrace, newTraceIds, type Telemetry, withSpan } from "@planwright/shared/telemetry";
import { z } from "zod";
import { chooseStrategy } from "../drafting/request-for.ts";
import { draftSizeOf } from "../drafting/draft-size.ts";
import type { DraftFormat, DraftRequest } from "../drafting/draft-request.ts";
import type { Offers } from "../drafting/offer.ts";
import { admitted, STRATEGIES } from "../drafting/strategies.ts";
import type { WrittenDraft } from "../drafting/finish-draft.ts";
import { writeDraft } from "../drafting/write-draft.ts";

export const PREVIEW_SUBJECT = "rpc.plan.preview";
const QUEUE_GROUP = "planner";
/** A user is waiting for a preview. */
const PREVIEW_MS_MAX = 120_000;
/** As in a plan: the first draft, and one more with the first one's faults. */
const DRAFTS_MAX = 2;
/** Where a search begins. */
const FIRST_EXPANSION: Expansion = { path: [], width: SearchSettings.parse({}).width, tried: [] };

export const PreviewRequest = z.object({
  tenant: z.string(),
  goal: z.string().min(1),
  strategy: Strategy.default("auto"),
  constraints: z.array(z.string()).default([]),
  tools: z.array(ToolName).optional(),
  sources: z.array(SourceName).optional(),
  approval: ApprovalPolicy,
  policy: GatePolicy.optional(),
  planSize: PlanSize.optional(),
  pastPlans: z.array(PastPlan).max(PAST_PLANS_MAX).optional(),
});
export type PreviewRequest = z.infer<typeof PreviewRequest>;

export const PreviewReply = z.object({
  /** Null without a valid plan: `issues` or `error` says why. */
  plan: PlanDocument.nullable(),
  issues: z.array(Issue),
  usage: Usage,
  /** The chosen strategy and the reason; absent when drafting did not get that far. */
  strategy: Strategy.optional(),
  strategyReason: z.string().optional(),
  error: z
    .object({ code: z.enum(["invalid_request", "busy", "model_failed", "too_large"]), message: z.string() })
    .optional(),
});
export type PreviewReply = z.infer<typeof PreviewReply>;

export type PreviewDeps = {
  readonly bus: Bus;
  readonly model: ModelClient;
  readonly format?: DraftFormat;
  readonly telemetry: Telemetry;
  readonly offers: Offers;
  /** The maximum number of simultaneous previews; further requests get the response that the planner is busy. */
  readonly concurrency: number;
  readonly log: Logger;
};

/** Responds to preview requests until disposed; those in progress are then aborted. */
export function servePreviews(deps: PreviewDeps): AsyncDisposable {
  const stopping = new AbortController();
  const inHand = new Set<Promise<void>>();
  const subscription = deps.bus.connection.subscribe(PREVIEW_SUBJECT, {
    queue: QUEUE_GROUP,
    callback(_error, message) {
      const answered = answer(message)
        .then((reply) => void message.respond(encode(reply, deps.bus.payloadBytesMax)))
        .catch((error: unknown) => deps.log.error({ err: error }, "could not answer preview request"))
        .finally(() => inHand.delete(answered));
      inHand.add(answered);
    },
  });

  async function answer(message: Incoming): Promise<PreviewReply> {
    if (inHand.size >= deps.concurrency) return failure("busy", `${inHand.size} previews are being written`);
    const request = PreviewRequest.safeParse(parseJson(Buffer.from(message.data).toString()));
    if (!request.success) return failure("invalid_request", z.prettifyError(request.error));
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(PREVIEW_MS_MAX)]);
    const parent = extractTrace(message.headers) ?? newTraceIds({ sampled: false });
    const span = deps.telemetry.spanFrom(parent, "plan", {
      attributes: { "gen_ai.operation.name": "plan", "gen_ai.agent.name": "planner", "plan.preview": true },
    });
    return withSpan(span, () => preview(deps, request.data, { trace: span.ids, signal })).catch(
      (error: unknown) => failure("model_failed", describeError(error)),
    );
  }

  return {
    async [Symbol.asyncDispose]() {
      subscription.unsubscribe();
      stopping.abort(new DOMException("the planner stops", "AbortError"));
      await Promise.all(inHand);
    },
  };
}

type Incoming = {
  readonly data: Uint8Array;
  readonly headers?: Parameters<typeof extractTrace>[0];
};

type Asking = Pick<Parameters<typeof writeDraft>[1], "trace" | "signal">;

async function preview(deps: PreviewDeps, asked: PreviewRequest, asking: Asking): Promise<PreviewReply> {
  const { goal, constraints, planSize } = asked;
  const { tools, unlisted, agents, sources } = await deps.offers.offer(asked, asking.signal);
  const { strategy, reason } = chooseStrategy({ asked: asked.strategy, goal, tools, revision: 0, planSize });
  const size = draftSizeOf({ planSize, extent: STRATEGIES[strategy].extent, isRevision: false, earlier: [] });
  const request: DraftRequest = {
    goal,
    constraints,
    today: dateOf(new Date()),
    strategy,
    tools: admitted(strategy, tools),
    unlisted,
    agents,
    sources,
    draft: 1,
    earlier: [],
    issues: [],
    ...(size === undefined ? {} : { size }),
    expansion: FIRST_EXPANSION,
    ...(asked.pastPlans === undefined ? {} : { pastPlans: asked.pastPlans }),
  };
  const { format = "json" } = deps;
  const { model } = new SpendingMeter(deps.model, { patience: new ModelPatience() });
  const onSteps = () => Promise.resolve();
  let usage: Usage = NO_USAGE;
  let issues: readonly Issue[] = [];
  for (let count = 1; count <= DRAFTS_MAX; count++) {
    const { draft } = await writeDraft({ ...request, issues }, { ...asking, model, format, onSteps });
    usage = addUsage(usage, draft.usage);
    if (draft.status === "model_failed") return { ...failure("model_failed", draft.message), usage };
    if (draft.status === "complete")
      return { plan: documentOf(draft), issues: [], usage, strategy, strategyReason: reason };
    issues = draft.issues;
  }
  return { plan: null, issues: [...issues], usage, strategy, strategyReason: reason };
}

function documentOf(draft: Extract<WrittenDraft, { status: "complete" }>): PlanDocument {
  const { steps, answerFrom, reasoning } = draft;
  return {
    steps: [...steps],
    ...(answerFrom === undefined ? {} : { answerFrom }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

function failure(code: NonNullable<PreviewReply["error"]>["code"], message: string): PreviewReply {
  return { plan: null, issues: [], usage: NO_USAGE, error: { code, message } };
}

function encode(reply: PreviewReply, bytesMax: number): string {
  const text = JSON.stringify(reply);
  const bytes = Buffer.byteLength(text);
  if (bytes <= bytesMax) return text;
  return JSON.stringify(failure("too_large", `the plan has ${bytes} bytes; the limit is ${bytesMax}`));
}
