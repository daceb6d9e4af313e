/** What the model of a test answers. */
import { judgementText, planText as wholePlanText } from "../model/scripted-plan.ts";

export type ModelCall = {
  /** `plan` drafts, `judgement` writes the answer, `write` is free text; others are named after the JSON that is wanted. */
  readonly role: string;
  /** Counts the calls of this role from 1. */
  readonly number: number;
  readonly system: string;
  readonly user: string;
};

/** The text of a reply, or a refusal such as `{ status: 503 }`. */
export type ModelReply = string | { readonly status: number };

export type Scripted = ModelReply | ((call: ModelCall) => ModelReply | Promise<ModelReply>);

/** By role. A list gives its replies in order and repeats the last one; a role without a reply is refused. */
export type ModelScript = Readonly<Record<string, Scripted | readonly Scripted[]>>;

export type ScriptedStep = {
  readonly id: string;
  readonly tool: string;
  /** May refer to other steps: `{ "$ref": "s1.output" }`, `"{{s1.output}}"`. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly dependsOn?: readonly string[];
};

export type ScriptedPlan = {
  readonly steps: readonly ScriptedStep[];
  /** The step whose output is the plan's answer; without it the model writes the answer (`judgement`). */
  readonly answerFrom?: string;
};

/** The reply of a model that drafts this plan: for the role `plan`. */
export function planText(plan: ScriptedPlan): string {
  return wholePlanText(plan);
}

/** The reply of a model that writes this answer: for the role `judgement`. */
export function answerText(text: string): string {
  return judgementText({ text });
}
