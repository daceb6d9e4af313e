/**
 * Bundles: light steps that became ready together go to one worker in one message, and each reports its own outcome.
 * When a step takes microseconds, its message is most of its cost.
 *
 * The plan's state records which steps are sent together. A dispatcher that takes the plan over therefore sends the
 * same bundle again, under the same subject and id, and the server refuses it while the first one exists. A bundle
 * that is delivered a second time is split: see the executor's `run-bundle.ts`.
 */
import type { Command } from "./command.ts";
import type { StepId } from "../values/ids.ts";
import type { Owed } from "./owed.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { type BundledStep, type StepWork, stepWorkId } from "../events/work.ts";

/** Of the arguments that one message carries for steps after the first. */
const CHARS_MAX = 131_072;

/** Whether this is to send a step that is sent in a bundle. */
export function isBundled({ steps }: KnownPlan, one: Owed): boolean {
  const state = one.kind === "run" ? steps.get(one.stepId)?.state : undefined;
  return state?.status === "running" && state.sentWith !== undefined;
}

/** The steps of each bundle that is to be sent, in the order of planning, by its first step. */
export function bundledSteps(plan: KnownPlan, owed: readonly Owed[]): ReadonlyMap<StepId, readonly StepId[]> {
  const bundles = new Map<StepId, StepId[]>();
  for (const one of owed) {
    if (one.kind !== "run") continue;
    const state = plan.steps.get(one.stepId)?.state;
    if (state?.status !== "running" || state.sentWith === undefined) continue;
    const steps = bundles.get(state.sentWith);
    if (steps === undefined) bundles.set(state.sentWith, [one.stepId]);
    else steps.push(one.stepId);
  }
  const position = (stepId: StepId): number => plan.steps.get(stepId)?.position ?? 0;
  for (const steps of bundles.values()) steps.sort((left, right) => position(left) - position(right));
  return bundles;
}

/**
 * Combines the commands of a bundle into one command.
 *
 * @param commands - One for each step of the bundle: run the step, or record why it cannot run.
 * @param first - The step that names the message. It may have finished by now.
 */
export function bundleCommands(first: StepId, commands: readonly (Command | undefined)[]): Command[] {
  const works: StepWork[] = [];
  const alone: Command[] = [];
  let room = CHARS_MAX;
  for (const command of commands) {
    if (command === undefined) continue;
    if (command.kind === "run") {
      const [head] = works;
      room -= head === undefined ? 0 : JSON.stringify(command.work.args).length;
      if (room >= 0 && (head === undefined || isLike(head, command.work))) {
        works.push(command.work);
        continue;
      }
    }
    alone.push(command);
  }
  const [head, ...rest] = works;
  if (head === undefined) return alone;
  const { followUps: _followUps, outputs: _outputs, ...work } = head;
  if (rest.length > 0) work.others = rest.map(bundledStep);
  if (head.stepId !== first) work.sentWith = first;
  return [{ kind: "run", id: stepWorkId(work), work }, ...alone];
}

/** Fields that each step of a bundle has separately; the others are sent once. */
const OWN: ReadonlySet<string> = new Set([
  "stepId",
  "tool",
  "args",
  "timeoutMs",
  "model",
  // Follow-ups are not sent with a bundle.
  "followUps",
  "outputs",
]);

function isLike(head: StepWork, work: StepWork): boolean {
  const keys = new Set([...Object.keys(head), ...Object.keys(work)] as (keyof StepWork)[]);
  for (const key of keys) if (!OWN.has(key) && head[key] !== work[key]) return false;
  return true;
}

function bundledStep({ stepId, tool, args, timeoutMs, model }: StepWork): BundledStep {
  return { stepId, tool, args, timeoutMs, ...(model === undefined ? {} : { model }) };
}

/** A message's steps, each as if it had been sent alone. */
export function stepsOfWork({ others = [], sentWith: _sentWith, ...work }: StepWork): StepWork[] {
  return [work, ...others.map((other): StepWork => ({ ...work, model: undefined, ...other }))];
}
