import { whyWaiting } from "@planwright/plan/why-waiting";
import type { PlanView, StepView } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";
import { useNow } from "../ui/use-now.ts";

type Props = {
  readonly view: PlanView;
  readonly step: StepView;
  /** The plan is shown as it was: what it waited for then. */
  readonly isPast: boolean;
};

/** Why nothing happens with the step yet, in words. */
export function StepWaiting({ view, step, isPast }: Props) {
  const now = useNow(1_000, !isPast && view.endedAt === undefined);
  const words = isPast ? whyWaiting(view, step) : whyWaiting(view, step, now);
  if (words === undefined) return null;
  return (
    <p className="step-waiting" data-testid="why-waiting">
      <Icon name="clock" size={14} />
      <span className="sentence">{words}</span>
    </p>
  );
}
