/** What the model is asked to say about a plan's results. */
import { AnswerStatus, type Json, JsonSchema } from "@planwright/plan";
import { parseStructured } from "@planwright/shared/model";
import { z } from "zod";

const REASON_CHARS_MAX = 4_000;

const RawJudgement = z.object({
  decision: z.enum(["answer", "revise"]),
  reason: z.string().nullable(),
  status: AnswerStatus,
  text: z.string(),
  dataJson: z.string().nullable(),
  sources: z.array(z.string()).nullable(),
});

/** A synthesis that can be acted on. */
export type Judgement = {
  readonly decision: "answer" | "revise";
  /** Why a revision is asked for; "" when none is. */
  readonly reason: string;
  readonly status: AnswerStatus;
  /** May be empty only when a revision is asked for. */
  readonly text: string;
  readonly data?: Json;
  /** As the model wrote them; null for all steps that have a result. */
  readonly sources: readonly string[] | null;
};

export type JudgementIssue = { readonly field: string; readonly message: string };

export type ReadJudgement = {
  readonly issues: readonly JudgementIssue[];
  /** What can be made of it in spite of its issues, if anything can. */
  readonly judgement?: Judgement;
};

/** Every field required, nothing else allowed: what strict structured output accepts. */
export function judgementSchema(): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(z.strictObject(RawJudgement.shape));
  return JsonSchema.parse(schema);
}

/** Reads a synthesis from a model's text. Never throws. */
export function readJudgement(text: string): ReadJudgement {
  const parsed = parseStructured("judgement", RawJudgement, text);
  if (!parsed.ok) {
    return { issues: parsed.issues.map(({ path, message }) => ({ field: path, message })) };
  }
  const { decision, status, sources } = parsed.value;
  const issues: JudgementIssue[] = [];
  const said = parsed.value.text.trim();
  if (said === "" && decision === "answer")
    issues.push({ field: "text", message: "wanted an answer, got none" });
  const reason = parsed.value.reason?.trim().slice(0, REASON_CHARS_MAX) ?? "";
  if (reason === "" && decision === "revise") {
    issues.push({ field: "reason", message: "wanted the reason for the revision, got none" });
  }
  const data = readData(parsed.value.dataJson, issues);
  if (said === "" && decision === "answer") return { issues };
  const why = reason === "" ? "the results do not answer the goal" : reason;
  const judgement = {
    decision,
    reason: decision === "revise" ? why : "",
    status,
    text: said,
    sources,
    ...data,
  };
  return { issues, judgement };
}

function readData(dataJson: string | null, issues: JudgementIssue[]): Pick<Judgement, "data"> {
  if (dataJson === null || dataJson.trim() === "") return {};
  try {
    // JSON.parse yields JSON and nothing else.
    return { data: JSON.parse(dataJson) as Json };
  } catch {
    issues.push({ field: "dataJson", message: "wanted JSON text or null, got text that is not JSON" });
    return {};
  }
}
