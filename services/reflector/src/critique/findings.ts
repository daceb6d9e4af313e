/** The reply of a reviewer, whatever it reviews. Approval is a separate field, never a word in a text. */
import { JsonSchema } from "@planwright/plan";
import { parseStructured } from "@planwright/shared/model";
import { z } from "zod";

const ISSUES_MAX = 20;
const ISSUE_CHARS_MAX = 1_000;
const SUGGESTION_CHARS_MAX = 4_000;

const RawFindings = z.object({
  approved: z.boolean().describe("Whether it can be used unchanged."),
  score: z.number().describe("How good it is, from 0 to 1."),
  confidence: z.number().nullable().describe("How sure you are of this review, from 0 to 1, or null."),
  issues: z.array(z.string()).describe("What is wrong, one sentence each; empty if approved."),
  suggestion: z.string().nullable().describe("What would make it better, in a sentence or two, or null."),
});

const RawStepFindings = RawFindings.extend({
  replan: z
    .boolean()
    .nullable()
    .describe(
      "True if the output is right and shows that the steps after it no longer make sense; otherwise null.",
    ),
});

export type Findings = {
  readonly approved: boolean;
  readonly score: number;
  readonly confidence?: number;
  readonly issues: string[];
  readonly suggestion: string;
  readonly replan?: true;
};

/** Every field required, nothing else allowed: what strict structured output accepts. */
export function findingsSchema(of: "step" | "other"): JsonSchema {
  const shape = of === "step" ? RawStepFindings.shape : RawFindings.shape;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(z.strictObject(shape));
  return JsonSchema.parse(schema);
}

export type ReadFindings =
  | { readonly ok: true; readonly findings: Findings }
  | { readonly ok: false; readonly issues: readonly string[] };

/** Reads a critic's reply. Never throws. A text that only sounds like approval is none. */
export function readFindings(text: string): ReadFindings {
  const Lenient = RawStepFindings.partial({ confidence: true, suggestion: true, replan: true });
  const parsed = parseStructured("judgement", Lenient, text);
  if (!parsed.ok) {
    return { ok: false, issues: parsed.issues.map(({ path, message }) => `${path}: ${message}`) };
  }
  const { approved, score, confidence, issues, suggestion, replan } = parsed.value;
  const sure = confidence === undefined || confidence === null ? {} : { confidence: share(confidence) };
  const findings: Findings = {
    approved,
    score: share(score),
    ...sure,
    issues: issues.slice(0, ISSUES_MAX).map((issue) => issue.slice(0, ISSUE_CHARS_MAX)),
    suggestion: (suggestion ?? "").slice(0, SUGGESTION_CHARS_MAX),
    ...(replan === true ? { replan } : {}),
  };
  return { ok: true, findings };
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
