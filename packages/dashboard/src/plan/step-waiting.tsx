import type { StepView } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";

const WAITING: Readonly<Record<NonNullable<StepView["waitingFor"]>, string>> = {
  dependencies: "the steps before it",
  primary: "the step that it stands in for to fail",
  condition: "its condition to be decided",
  items: "its list to be read",
  draft: "the rest of the plan",
  approval: "the plan to be approved",
  capacity: "a free place",
  retry: "its next attempt",
  budget: "a part of the budget",
  start: "the plan's start",
  resume: "the plan to go on",
};

/** Why nothing happens with the step yet. */
export function StepWaiting({ step: { waitingFor } }: { step: StepView }) {
  if (waitingFor === undefined) return null;
  return (
    <p className="step-waiting">
      <Icon name="clock" size={14} /> It waits for {WAITING[waitingFor]}.
    </p>
  );
}
