/** What tests of examples have in common. */
import type { PlanView } from "@planwright/plan";
import { type Example, loadExample } from "@planwright/testkit";
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
