/**
 * A second plan: after refused steps (`<issues>`) or after results that did not answer (`<reason>`).
 *
 * The rules always draft the same plan from the same prompt, so they know which of their steps was refused
 * or failed, and draft again without the tools that did not work.
 */
import type { PlanPrompt } from "../../prompt/plan-prompt.ts";
import { type DraftedPlan, draftPlan } from "./draft-plan.ts";
import { NOTICE } from "../notice.ts";
import { plainText, withoutTemplates } from "./plain-text.ts";
import type { PlannedStep } from "./planned-step.ts";

export function revisePlan(prompt: PlanPrompt): DraftedPlan {
  const first = draftPlan(prompt, { firstNumber: 1 });
  const bad = new Set([...prompt.issues.map(({ stepId }) => stepId ?? ""), ...failedIds(prompt)]);
  const badTools = new Set([
    ...first.steps.filter(({ id }) => bad.has(id)).map(({ tool }) => tool),
    ...prompt.results.filter(({ id }) => bad.has(id)).map(({ tool }) => tool),
  ]);
  const done = prompt.results
    .filter(({ status }) => status === "succeeded")
    .map(({ description }) => description);
  const tools = prompt.tools.filter(({ name }) => !badTools.has(name));
  const firstNumber = nextNumber(prompt, first.steps);
  const again = draftPlan({ ...prompt, tools }, { firstNumber });
  const steps = withoutDone(again.steps, done);
  const left = [...badTools].filter((name) => name !== "");
  const reasoning = `${again.reasoning} Second try${left.length === 0 ? "" : ` without ${left.join(", ")}`}.`;
  if (steps.length > 0 && badTools.size > 0) return { ...again, steps, reasoning };
  return honestPlan(prompt, { firstNumber, reasoning });
}

function failedIds({ results }: PlanPrompt): readonly string[] {
  return results.filter(({ status }) => status === "failed").map(({ id }) => id);
}

/** A step id is never reused for something else: numbering continues after all known ids. */
export function nextNumber(
  { results, issues }: Pick<PlanPrompt, "results" | "issues">,
  first: readonly PlannedStep[],
): number {
  const ids = [
    ...results.map(({ id }) => id),
    ...issues.map(({ stepId }) => stepId ?? ""),
    ...first.map(({ id }) => id),
  ];
  const numbers = ids.map((id) => Number(/\d+$/.exec(id)?.[0] ?? 0));
  return Math.max(0, ...numbers) + 1;
}

/** Omits steps whose results are known, unless another step of the draft needs them. */
function withoutDone(steps: readonly PlannedStep[], done: readonly string[]): readonly PlannedStep[] {
  const needed = new Set(steps.flatMap(({ dependsOn }) => dependsOn));
  return steps.filter(({ id, description }) => needed.has(id) || !done.includes(description));
}

/** Nothing else can be tried: one step that states the known results, or that there are none. */
function honestPlan(
  prompt: PlanPrompt,
  { firstNumber, reasoning }: { firstNumber: number; reasoning: string },
): DraftedPlan {
  const id = `s${firstNumber}`;
  const known = prompt.results
    .filter(({ status }) => status === "succeeded")
    .map(({ description, output }) => [description, output] as const);
  const writer = prompt.tools.find(({ name }) => name === "model.write");
  const echo = prompt.tools.find(({ name }) => name === "flow.echo");
  const base = { id, dependsOn: [], successCriteria: null, expectedOutput: null };
  if (writer !== undefined) {
    const context = withoutTemplates(JSON.stringify(Object.fromEntries(known))).slice(0, 100_000);
    const args = {
      prompt: plainText(prompt.goal).trim() || "…",
      ...(known.length === 0 ? {} : { context }),
    };
    return {
      reasoning,
      answerFrom: null,
      steps: [{ ...base, description: "Say what is known", tool: writer.name, args }],
    };
  }
  if (echo === undefined) return { reasoning, answerFrom: null, steps: [] };
  const args = { value: `No other offered tool fits this goal (${NOTICE}).` };
  return {
    reasoning,
    answerFrom: null,
    steps: [{ ...base, description: "Say that no tool fits", tool: echo.name, args }],
  };
}
