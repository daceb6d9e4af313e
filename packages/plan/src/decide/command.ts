/** The commands that a decision issues to the dispatcher. */
import type { ArgumentsFault } from "../arguments/resolve-arguments.ts";
import type { JsonObject } from "../values/json.ts";
import type { PlanId } from "../values/ids.ts";
import type { CancelRequested, GoalSubmitted, ParentStep } from "../events/control-events.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import type {
  CritiqueWork,
  DraftWork,
  FactsWork,
  JoinWork,
  ReviewWork,
  StepWork,
  UnitWork,
} from "../events/work.ts";

/** An event that still lacks the time at which it is written. */
export type Unstamped<Event> = Event extends unknown ? Omit<Event, "at"> : never;

export type Command =
  | { readonly kind: "run"; readonly id: string; readonly work: StepWork }
  /** Run several light steps of the plan as one unit. */
  | { readonly kind: "unit"; readonly id: string; readonly work: UnitWork }
  | { readonly kind: "draft"; readonly id: string; readonly work: DraftWork }
  | { readonly kind: "join"; readonly id: string; readonly work: JoinWork }
  | { readonly kind: "process"; readonly id: string; readonly work: FactsWork }
  | SubPlanCommand
  | { readonly kind: "review"; readonly id: string; readonly work: ReviewWork }
  | { readonly kind: "critique"; readonly id: string; readonly work: CritiqueWork }
  /** Notify workers that their work for the plan may no longer be needed. It is only a hint: losing it does no harm. */
  | { readonly kind: "stop" }
  /** Have the server write `event` at the given time. */
  | {
      readonly kind: "schedule";
      readonly timer: string;
      readonly at: string;
      readonly event: Unstamped<PlanEvent>;
    }
  /**
   * Write an event that follows from the state; only the dispatcher may.
   *
   * `before` is an event of another plan that must be stored first: the end of a sub-plan is recorded in its parent's log before
   * its own.
   */
  | {
      readonly kind: "record";
      readonly event: Unstamped<PlanEvent>;
      readonly before?: Unstamped<PlanEvent>;
    };

/** Submit a sub-plan, unless it was already submitted, and then store `control` in its log. */
export type SubPlanCommand = {
  readonly kind: "sub-plan";
  readonly submission: SubPlanSubmission;
  readonly control?: Unstamped<CancelRequested>;
};

/** A sub-plan's submission, except the values that are resolved from its arguments. */
export type SubPlanSubmission = {
  readonly planId: PlanId;
  /** Resolved, except references to artifacts. */
  readonly args: JsonObject;
  /**
   * Set when an output that the arguments refer to was rejected after the attempt began. A sub-plan that was already
   * submitted continues; one that was not is never submitted, and its step fails with this fault.
   */
  readonly fault?: ArgumentsFault;
  /** Its goal, except for parts that the arguments override. */
  readonly data: GoalSubmitted["data"] & { readonly parent: ParentStep };
};
