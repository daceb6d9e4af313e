/** The model's synthesis of a plan's results. */
import {
  AnswerStatus,
  type Json,
  type KnownPlan,
  knownSources,
  onAnswerSteps,
  unsourcedSentences,
} from "@planwright/plan";
import {
  type Asking,
  askForJson,
  JobFailedError,
  readJson,
  type ReadReply,
  type ReplyFault,
} from "@planwright/shared/jobs";
import { type ModelReply, salvageText, strictSchemaOf, truncationOf } from "@planwright/shared/model";
import { z } from "zod";
import { judgementPrompt } from "../prompts/judgement-prompt.ts";

const REASON_CHARS_MAX = 4_000;
const SENTENCES_MAX = 20;
const SENTENCE_CHARS_MAX = 300;
const REPLIES_UNUSABLE = "the model's replies could not be used";
const REPLIES_CUT = "the model's replies reached the length limit before they were complete";
/** Ends a truncated text, so that no reader takes it for the whole. */
const ENDS_EARLY = "This answer ends early: the model's reply was cut off.";

const RawJudgement = z.object({
  decision: z.enum(["answer", "revise"]),
  reason: z.string().nullable(),
  status: AnswerStatus,
  text: z.string(),
  dataJson: z.string().nullable(),
  sources: z.array(z.string()).nullable(),
});

export const JUDGEMENT_SCHEMA = strictSchemaOf(RawJudgement);

/** A usable synthesis. */
export type Judgement = {
  readonly decision: "answer" | "revise";
  /** The reason for a revision; "" when none is requested. */
  readonly reason: string;
  readonly status: AnswerStatus;
  /** Can be empty only when a revision is requested. */
  readonly text: string;
  readonly data?: Json;
  /** As written by the model; null for all steps with a result. */
  readonly sources: readonly string[] | null;
};

/**
 * Asks a model for the synthesis of a plan's results. A reply that cannot be used or was cut off is requested again once;
 * after that its text is used. A text that was cut off is marked as such and makes the answer partial.
 */
export function askForJudgement(
  plan: KnownPlan,
  loaded: ReadonlyMap<string, Json>,
  { model, trace, signal }: Pick<Asking<never>, "model" | "trace" | "signal">,
): Promise<Judgement> {
  return askForJson(model, {
    name: "judgement",
    schema: JUDGEMENT_SCHEMA,
    render: (issues) => judgementPrompt.render({ plan, loaded, issues }),
    read(text) {
      const { value, issues } = readJudgement(text);
      if (value === undefined) return { issues };
      return { value, issues: [...issues, ...sourceIssues(plan, value, loaded)] };
    },
    makeDo: salvage,
    trace,
    signal,
  });
}

/** Reads a synthesis from a model's text. Never throws. */
export function readJudgement(text: string): ReadReply<Judgement> {
  return readJson("judgement", RawJudgement, { text, take: judgementOf });
}

function judgementOf(raw: z.output<typeof RawJudgement>): ReadReply<Judgement> {
  const { decision, status, sources } = raw;
  const issues: ReplyFault[] = [];
  const text = raw.text.trim();
  const isUnanswered = text === "" && decision === "answer";
  if (isUnanswered) issues.push({ field: "text", message: "wanted an answer, got none" });
  const reason = raw.reason?.trim().slice(0, REASON_CHARS_MAX) ?? "";
  if (reason === "" && decision === "revise") {
    issues.push({ field: "reason", message: "wanted the reason for the revision, got none" });
  }
  const data = readData(raw.dataJson, issues);
  if (isUnanswered) return { issues };
  const why = reason === "" ? "the results do not answer the goal" : reason;
  const value = { decision, reason: decision === "revise" ? why : "", status, text, sources, ...data };
  return { issues, value };
}

function readData(dataJson: string | null, issues: ReplyFault[]): Pick<Judgement, "data"> {
  if (dataJson === null || dataJson.trim() === "") return {};
  try {
    // JSON.parse yields JSON and nothing else.
    return { data: JSON.parse(dataJson) as Json };
  } catch {
    issues.push({ field: "dataJson", message: "wanted JSON text or null, got text that is not JSON" });
    return {};
  }
}

/** The sentences that lack a source which the submission requires: the model can fix them once. */
function sourceIssues(
  plan: KnownPlan,
  { decision, text }: Judgement,
  loaded: ReadonlyMap<string, Json>,
): ReplyFault[] {
  if (plan.goal.requireSources !== true || decision !== "answer") return [];
  return unsourcedSentences(text, knownSources(onAnswerSteps(plan), loaded))
    .slice(0, SENTENCES_MAX)
    .map((sentence) => ({
      field: "text",
      message: `cite a source from the results in this sentence, such as [s1]: ${JSON.stringify(sentence.slice(0, SENTENCE_CHARS_MAX))}`,
    }));
}

/** @throws {JobFailedError} When no reply has a text. */
function salvage(replies: readonly ModelReply[]): Judgement {
  for (const reply of replies) {
    const salvaged = salvageText(reply);
    if (salvaged === undefined) continue;
    const text = salvaged.isCut ? `${salvaged.text} …\n\n${ENDS_EARLY}` : salvaged.text;
    return { decision: "answer", reason: "", status: "partial", text, sources: [] };
  }
  const isCut = replies.some((reply) => truncationOf(reply) !== undefined);
  throw new JobFailedError("unusable", isCut ? REPLIES_CUT : REPLIES_UNUSABLE);
}
