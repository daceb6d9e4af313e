import type { Deadline } from "../events/outcome-events.ts";
import type { StepId } from "../ids.ts";
import type { ToProcess } from "./knowledge.ts";
import type { RunName } from "./runs.ts";

/** Something that the plan's owner has to do because of the last event. */
export type Due =
  /** Send the step to a worker, or, with `again`, make sure that it has been. */
  | (RunName & { readonly kind: "run"; readonly again?: true })
  | { readonly kind: "undo"; readonly stepId: StepId }
  /** Tell a sub-plan what is wanted of it. */
  | {
      readonly kind: "sub-plan";
      readonly stepId: StepId;
      readonly item: number;
      readonly attempt: number;
    }
  | { readonly kind: "stop" }
  | { readonly kind: "draft" }
  | { readonly kind: "join" }
  /** Have a draft judged as a whole. */
  | { readonly kind: "critique" }
  | { readonly kind: "review"; readonly stepId: StepId }
  /** Have an output looked at for facts. */
  | { readonly kind: "process"; readonly output: ToProcess }
  | { readonly kind: "timer"; readonly timer: string; readonly at: string; readonly deadline?: Deadline }
  | { readonly kind: "skip"; readonly because: StepId }
  /** Record why a step whose dependencies are over does not run. */
  | { readonly kind: "verdict"; readonly stepId: StepId }
  | (RunName & { readonly kind: "approval"; readonly undo?: true })
  /** Ask whether the plan may run. */
  | { readonly kind: "plan-approval" }
  /** Ask for more of the budget. */
  | { readonly kind: "budget" }
  | { readonly kind: "answer" }
  | { readonly kind: "end" };

/** What a plan waits for that time brings. */
export type Timer =
  | (RunName & { readonly kind: "retry"; readonly at: string })
  | { readonly kind: "draft"; readonly at: string }
  | { readonly kind: "start"; readonly at: string }
  | { readonly kind: "sub-plans"; readonly at: string }
  /** The model server is tried again: it ends the pause that it names. */
  | { readonly kind: "model"; readonly pause: number; readonly at: string }
  | { readonly kind: "undo"; readonly stepId: StepId; readonly at: string };
