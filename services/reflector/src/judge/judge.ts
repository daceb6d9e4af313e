import {
  addUsage,
  type Json,
  type KnownPlan,
  knownSources,
  NO_USAGE,
  onBestPath,
  unsourcedSentences,
  type Usage,
} from "@planwright/plan";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import {
  type ModelClient,
  type ModelReply,
  ModelUnavailableError,
  planUsage,
  roomAfter,
  salvageText,
  truncationOf,
} from "@planwright/shared/model";
import type { TraceParent } from "@planwright/shared/telemetry";
import {
  type Judgement,
  type JudgementIssue,
  judgementSchema,
  type ReadJudgement,
  readJudgement,
} from "./judgement.ts";
import { judgementPrompt } from "./judgement-prompt.ts";

export type Judged =
  | { readonly kind: "judged"; readonly judgement: Judgement; readonly usage: Usage }
  /** No model can write the answer, for the reason in `cause`. */
  | { readonly kind: "unjudged"; readonly cause: string; readonly usage: Usage };

type Asking = {
  readonly loaded: ReadonlyMap<string, Json>;
  readonly trace: TraceParent;
  readonly signal: AbortSignal;
};

const SENTENCES_MAX = 20;
const SENTENCE_CHARS_MAX = 300;
/** Ends a text that was cut off, so that no reader takes it for the whole. */
const REPLIES_CUT = "the model's replies reached the length limit before they were complete";
const ENDS_EARLY = "This answer ends early: the model's reply was cut off.";

/**
 * Has a model judge a plan's results. A reply that cannot be used or was cut off is asked for again once, and then
 * its text has to do. A text that was cut off is marked as such and makes the answer partial.
 *
 * @throws {ModelUnavailableError} When the model server does not answer.
 * @throws The signal's reason when it aborts.
 */
export async function judge(model: ModelClient, plan: KnownPlan, asking: Asking): Promise<Judged> {
  let first: ModelReply;
  try {
    first = await ask(model, plan, asking, { issues: [] });
  } catch (error) {
    if (!(error instanceof PermanentError) || error instanceof ModelUnavailableError) throw error;
    return { kind: "unjudged", cause: describeError(error), usage: NO_USAGE };
  }
  const usage = planUsage(first.usage);
  const refusal = refusalOf(first);
  if (refusal !== undefined) return { kind: "unjudged", cause: refusal, usage };
  const read = readReply(first);
  const issues = [...read.issues, ...sourceIssues(plan, read.judgement, asking)];
  if (read.judgement !== undefined && issues.length === 0) {
    return { kind: "judged", judgement: read.judgement, usage };
  }
  const second = await askAgain(model, plan, asking, { issues, after: first });
  return second === undefined
    ? makeDo([first], usage)
    : makeDo([second, first], addUsage(usage, planUsage(second.usage)));
}

/** Sentences that lack the source that the submission requires: the model may fix them once. */
function sourceIssues(
  plan: KnownPlan,
  judgement: Judgement | undefined,
  { loaded }: Asking,
): readonly JudgementIssue[] {
  if (plan.goal.requireSources !== true || judgement?.decision !== "answer") return [];
  const known = knownSources(onBestPath(plan), loaded);
  return unsourcedSentences(judgement.text, known)
    .slice(0, SENTENCES_MAX)
    .map((sentence) => ({
      field: "text",
      message: `cite a source from the results in this sentence, such as [s1]: ${JSON.stringify(sentence.slice(0, SENTENCE_CHARS_MAX))}`,
    }));
}

/** What was wrong with the reply before, and that reply, when there was one. */
type LastTry = { readonly issues: readonly JudgementIssue[]; readonly after?: ModelReply };

function ask(
  model: ModelClient,
  plan: KnownPlan,
  { loaded, trace, signal }: Asking,
  { issues, after }: LastTry,
): Promise<ModelReply> {
  const prompt = judgementPrompt.render({ plan, loaded, issues });
  const outputSchema = { name: "judgement", schema: judgementSchema() };
  return model.complete({ ...prompt, ...roomAfter(after), outputSchema, trace, signal });
}

/** A reply that was cut off is never read: the start of a synthesis can look like a complete one. */
function readReply(reply: ModelReply): ReadJudgement {
  const truncation = truncationOf(reply);
  return truncation === undefined
    ? readJudgement(reply.text)
    : { issues: [{ field: "", message: truncation }] };
}

/** The first reply is worth more than nothing: a model that fails now changes only that. */
async function askAgain(
  model: ModelClient,
  plan: KnownPlan,
  asking: Asking,
  last: LastTry,
): Promise<ModelReply | undefined> {
  try {
    return await ask(model, plan, asking, last);
  } catch (error) {
    asking.signal.throwIfAborted();
    if (!(error instanceof PermanentError || error instanceof TransientError)) throw error;
    return undefined;
  }
}

/** The best that can be made of replies, the latest first. */
function makeDo(replies: readonly ModelReply[], usage: Usage): Judged {
  const usable = replies.filter((reply) => refusalOf(reply) === undefined);
  for (const reply of usable) {
    const { judgement } = readReply(reply);
    if (judgement !== undefined) return { kind: "judged", judgement, usage };
  }
  for (const reply of usable) {
    const salvaged = salvageText(reply);
    if (salvaged === undefined) continue;
    const text = salvaged.isCut ? `${salvaged.text} …\n\n${ENDS_EARLY}` : salvaged.text;
    const judgement = { decision: "answer", reason: "", status: "partial", text, sources: [] } as const;
    return { kind: "judged", judgement, usage };
  }
  const truncation = usable.map(truncationOf).find((message) => message !== undefined);
  const cause = truncation === undefined ? "the model's replies could not be used" : REPLIES_CUT;
  return { kind: "unjudged", cause, usage };
}

/** Why a reply is none, when the model declined. */
export function refusalOf({ finishReason, text }: ModelReply): string | undefined {
  if (finishReason === "refusal") return `the model declined: ${text.slice(0, 300)}`;
  return finishReason === "content_filter" ? "the model's reply was filtered" : undefined;
}
