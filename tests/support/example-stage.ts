/** What tests of examples have in common. */
import type { PlanView } from "@planwright/plan";
import { type Example, loadExample } from "@planwright/testkit";
import { expect } from "vitest";
import type { SharedSystem } from "./shared-system.ts";

export type ExampleStage = {
  /** Gives the model the replies of an example, and answers what to submit. */
  readonly play: (name: string) => Promise<Example["request"]>;
  /** Submits a plan and waits for its end. */
  readonly runToEnd: (request: Example["request"]) => Promise<PlanView>;
};

export function exampleStage(shared: SharedSystem): ExampleStage {
  return {
    async play(name) {
      const { script, request } = await loadExample(name);
      shared.model.play(script ?? {});
      return request;
    },
    async runToEnd(request) {
      const { planId } = await shared.system.client.submit(request);
      return shared.system.client.ended(planId);
    },
  };
}

/** @throws When the plan has no such step; the message names those that it has. */
export function stepOf(view: PlanView, id: string): PlanView["steps"][number] {
  const step = view.steps.find((one) => one.id === id);
  if (step === undefined) throw new Error(`no step ${id} in ${view.steps.map((one) => one.id).join(", ")}`);
  return step;
}

/** When a step's last attempt started, in milliseconds since the epoch. */
export function startOf(view: PlanView, id: string): number {
  return Date.parse(stepOf(view, id).startedAt ?? "");
}

/** When a step ended, in milliseconds since the epoch. */
export function endOf(view: PlanView, id: string): number {
  return Date.parse(stepOf(view, id).endedAt ?? "");
}

/** What a step has put out. @throws When it has put out nothing, or an artifact. */
export function valueOf(view: PlanView, id: string): unknown {
  const { output } = stepOf(view, id);
  if (output === undefined || !("value" in output)) throw new Error(`${id} has no value`);
  return output.value;
}

/** Each of these steps starts when the one before it has ended, or later. */
export function expectInOrder(view: PlanView, ids: readonly string[]): void {
  for (const [index, id] of ids.entries()) {
    const before = ids[index - 1];
    if (before !== undefined) expect(startOf(view, id), id).toBeGreaterThanOrEqual(endOf(view, before));
  }
}

/** How many steps ran at the same time, at the moment when most did. */
export function mostAtOnce(view: PlanView): number {
  const changes = view.steps.flatMap(({ id }) => [
    { at: startOf(view, id), by: 1 },
    { at: endOf(view, id), by: -1 },
  ]);
  let now = 0;
  let most = 0;
  // What ends in the millisecond in which another starts has ended before.
  for (const { by } of changes.toSorted((left, right) => left.at - right.at || left.by - right.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
