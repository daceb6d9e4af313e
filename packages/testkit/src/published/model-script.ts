/** The replies of a test's model. */
import { judgementText, planText as wholePlanText } from "../model/scripted-plan.ts";

export type ModelCall = {
  /** `plan` drafts a plan, `judgement` writes the answer, `write` is free text; others are named after the requested JSON. */
  readonly role: string;
  /** The number of this call in its role, starting at 1. */
  readonly number: number;
  readonly system: string;
  readonly user: string;
};

/** The text of a reply, or a refusal such as `{ status: 503 }`. */
export type ModelReply = string | { readonly status: number };

export type Scripted = ModelReply | ((call: ModelCall) => ModelReply | Promise<ModelReply>);

/** Replies by role. A list gives its replies in order and repeats the last one; a role without a reply is rejected. */
export type ModelScript = Readonly<Record<string, Scripted | readonly Scripted[]>>;

export type ScriptedStep = {
  readonly id: string;
  readonly tool: string;
  /** Can refer to other steps: `{ "$ref": "s1.output" }`, `"{{s1.output}}"`. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly dependsOn?: readonly string[];
};

export type ScriptedPlan = {
  readonly steps: readonly ScriptedStep[];
  /** The step whose output is the plan's answer; without it the model writes the answer (`judgement`). */
  readonly answerFrom?: string;
};

/** Returns a reply with this plan, for the role `plan`. */
export function planText(plan: ScriptedPlan): string {
  return wholePlanText(plan);
}

/** Returns a reply with this answer, for the role `judgement`. */
export function answerText(text: string): string {
  return judgementText({ text });
}
