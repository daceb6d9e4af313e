import { addUsage, type Json, type KnownPlan, NO_USAGE, type Usage } from "@planwright/plan";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import { type ModelClient, type ModelReply, planUsage } from "@planwright/shared/model";
import type { TraceParent } from "@planwright/shared/telemetry";
import { type Judgement, type JudgementIssue, judgementSchema, readJudgement } from "./judgement.ts";
import { judgementPrompt } from "./judgement-prompt.ts";
import { salvageText } from "./salvage-text.ts";

export type Judged =
  | { readonly kind: "judged"; readonly judgement: Judgement; readonly usage: Usage }
  /** No model's judgement can be had, and `cause` says why. */
  | { readonly kind: "unjudged"; readonly cause: string; readonly usage: Usage };

type Asking = {
  readonly loaded: ReadonlyMap<string, Json>;
  readonly trace: TraceParent;
  readonly signal: AbortSignal;
};

/**
 * Has a model judge a plan's results: asks again once when its reply is at fault, and then makes do with
 * the reply's text.
 *
 * @throws {TransientError} When the model cannot be reached now.
 * @throws The signal's reason when it aborts.
 */
export async function judge(model: ModelClient, plan: KnownPlan, asking: Asking): Promise<Judged> {
  let first: ModelReply;
  try {
    first = await ask(model, plan, asking, []);
  } catch (error) {
    if (!(error instanceof PermanentError)) throw error;
    return { kind: "unjudged", cause: describeError(error), usage: NO_USAGE };
  }
  const usage = planUsage(first.usage);
  const refusal = refusalOf(first);
  if (refusal !== undefined) return { kind: "unjudged", cause: refusal, usage };
  const read = readJudgement(first.text);
  if (read.judgement !== undefined && read.issues.length === 0) {
    return { kind: "judged", judgement: read.judgement, usage };
  }
  const second = await askAgain(model, plan, asking, read.issues);
  return second === undefined
    ? makeDo([first], usage)
    : makeDo([second, first], addUsage(usage, planUsage(second.usage)));
}

function ask(
  model: ModelClient,
  plan: KnownPlan,
  { loaded, trace, signal }: Asking,
  issues: readonly JudgementIssue[],
): Promise<ModelReply> {
  const prompt = judgementPrompt.render({ plan, loaded, issues });
  const outputSchema = { name: "judgement", schema: judgementSchema() };
  return model.complete({ ...prompt, outputSchema, trace, signal });
}

/** The first reply is worth more than nothing: a model that fails now changes only that. */
async function askAgain(
  model: ModelClient,
  plan: KnownPlan,
  asking: Asking,
  issues: readonly JudgementIssue[],
): Promise<ModelReply | undefined> {
  try {
    return await ask(model, plan, asking, issues);
  } catch (error) {
    asking.signal.throwIfAborted();
    if (!(error instanceof PermanentError || error instanceof TransientError)) throw error;
    return undefined;
  }
}

/** The best that can be made of replies, the latest first. */
function makeDo(replies: readonly ModelReply[], usage: Usage): Judged {
  const usable = replies.filter((reply) => refusalOf(reply) === undefined);
  for (const { text } of usable) {
    const { judgement } = readJudgement(text);
    if (judgement !== undefined) return { kind: "judged", judgement, usage };
  }
  for (const reply of usable) {
    const text = salvageText(reply.text);
    if (text === undefined) continue;
    const judgement = { decision: "answer", reason: "", status: "partial", text, sources: [] } as const;
    return { kind: "judged", judgement, usage };
  }
  return { kind: "unjudged", cause: "the model's replies could not be used", usage };
}

/** Why a reply is none, when the model declined. */
export function refusalOf({ finishReason, text }: ModelReply): string | undefined {
  if (finishReason === "refusal") return `the model declined: ${text.slice(0, 300)}`;
  return finishReason === "content_filter" ? "the model's reply was filtered" : undefined;
}
