import { whyPlanWaits } from "@planwright/plan/why-waiting";
import type { PlanView } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";

/** More reasons are counted. */
const SHOWN_MAX = 4;

/** What the plan waits for, in words; nothing while it is simply at work. */
export function PlanWaits({ view, nowMs }: { view: PlanView; nowMs: number }) {
  const reasons = whyPlanWaits(view, nowMs);
  if (reasons.length === 0) return null;
  const left = reasons.length - SHOWN_MAX;
  return (
    <ul className="plan-waits" aria-label="What this plan is waiting for">
      {reasons.slice(0, SHOWN_MAX).map((reason) => (
        <li key={reason}>
          <Icon name="waiting" size={13} />
          <span>{reason[0]?.toUpperCase() + reason.slice(1)}</span>
        </li>
      ))}
      {left > 0 && <li>and {left} more</li>}
    </ul>
  );
}
