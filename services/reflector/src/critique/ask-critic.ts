import { addUsage, NO_USAGE, type Usage } from "@planwright/plan";
import { describeError, PermanentError } from "@planwright/shared/errors";
import {
  type ModelClient,
  type ModelReply,
  ModelUnavailableError,
  planUsage,
  roomAfter,
  truncationOf,
} from "@planwright/shared/model";
import type { RenderedPrompt } from "@planwright/shared/prompt";
import type { TraceParent } from "@planwright/shared/telemetry";
import { type Findings, findingsSchema, readFindings } from "./findings.ts";

/** Of the schema, so that the model's server can distinguish the calls. */
export type CriticName = "step_review" | "plan_review" | "answer_review";

export type Critique =
  | { readonly kind: "judged"; readonly findings: Findings; readonly usage: Usage }
  /** No review is possible. */
  | {
      readonly kind: "unjudged";
      readonly cause: "model_failed" | "unusable";
      readonly message: string;
      readonly usage: Usage;
    };

/** How often a reviewer is called before its replies count as unusable. */
const ASKED_MAX = 2;

/**
 * Asks a critic; once more when its reply is at fault.
 *
 * @param asking.render - The prompt, with what was wrong with the last reply.
 * @throws {ModelUnavailableError} When the model server does not answer.
 * @throws The signal's reason when it aborts.
 */
export async function askCritic(
  model: ModelClient,
  asking: {
    readonly name: CriticName;
    readonly render: (faults: readonly string[]) => RenderedPrompt;
    readonly trace: TraceParent;
    readonly signal: AbortSignal;
  },
): Promise<Critique> {
  const { name, render, trace, signal } = asking;
  const outputSchema = { name, schema: findingsSchema(name === "step_review" ? "step" : "other") };
  let usage = NO_USAGE;
  let faults: readonly string[] = [];
  let reply: ModelReply | undefined;
  for (let asked = 0; asked < ASKED_MAX; asked++) {
    try {
      reply = await model.complete({ ...render(faults), ...roomAfter(reply), outputSchema, trace, signal });
    } catch (error) {
      if (!(error instanceof PermanentError) || error instanceof ModelUnavailableError) throw error;
      return {
        kind: "unjudged",
        cause: "model_failed",
        message: describeError(error).slice(0, 2_000),
        usage,
      };
    }
    usage = addUsage(usage, planUsage(reply.usage));
    if (reply.finishReason === "refusal" || reply.finishReason === "content_filter") {
      const message = `the model declined to review this (${reply.finishReason})`;
      return { kind: "unjudged", cause: "unusable", message, usage };
    }
    const truncation = truncationOf(reply);
    const read =
      truncation === undefined ? readFindings(reply.text) : ({ ok: false, issues: [truncation] } as const);
    if (read.ok) return { kind: "judged", findings: read.findings, usage };
    faults = read.issues;
  }
  const message = `the model's replies could not be used: ${faults.join("; ")}`.slice(0, 2_000);
  return { kind: "unjudged", cause: "unusable", message, usage };
}
