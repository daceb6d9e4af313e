import { whyPlanWaits } from "@planwright/plan/why-waiting";
import { useEffect, useState } from "react";
import type { PlanView } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";
import { PLAN_WAITS } from "./header-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import styles from "./plan-header.module.css";

/** More reasons are counted. */
const SHOWN_MAX = 4;
/** What passes sooner, as between two steps, would only move the page. */
const SHOWN_AFTER_MS = 1_000;

/** What the plan waits for, in words; nothing while it is simply at work. */
export function PlanWaits({ view, nowMs }: { view: PlanView; nowMs: number }) {
  const reasons = whyPlanWaits(view, nowMs);
  const isLasting = useLasting(reasons.length > 0);
  if (reasons.length === 0 || !isLasting) return null;
  const left = reasons.length - SHOWN_MAX;
  return (
    <ul className={styles.planWaits} aria-label={PLAN_WAITS.title}>
      {reasons.slice(0, SHOWN_MAX).map((reason) => (
        <li key={reason}>
          <Icon name="waiting" size={13} />
          <span>{reason[0]?.toUpperCase() + reason.slice(1)}</span>
        </li>
      ))}
      {left > 0 && <li>{COMMON.andMore(left)}</li>}
    </ul>
  );
}

/** Whether something was so when the page was opened, or has been so for a while. */
function useLasting(is: boolean): boolean {
  const [isLasting, setLasting] = useState(is);
  useEffect(() => {
    if (!is) return setLasting(false);
    const timer = setTimeout(() => setLasting(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [is]);
  return isLasting;
}
