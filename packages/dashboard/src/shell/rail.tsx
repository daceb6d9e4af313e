import { useRef } from "react";
import { useKeys } from "../keys/use-keys.ts";
import { PlanList } from "../plans/plan-list.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { RAIL } from "./shell-words.ts";
import styles from "./shell.module.css";

/** The list of plans beside every page, which keys go through. */
export function Rail({ selected }: { selected: string | undefined }) {
  const rail = useRef<HTMLElement>(null);
  // The list has its own arrows, which know the rows that are not drawn.
  const move = (arrow: "ArrowDown" | "ArrowUp") => {
    const rows = rail.current?.querySelector('[data-part="plan-rows"]');
    const focused = document.activeElement;
    if (focused !== null && rows?.contains(focused) === true) {
      focused.dispatchEvent(new KeyboardEvent("keydown", { key: arrow, bubbles: true }));
    } else {
      rows?.querySelector<HTMLElement>('a[tabindex="0"]')?.focus();
    }
  };
  useKeys([
    {
      keys: "/",
      label: RAIL.searchPlans,
      group: "everywhere",
      run: () => rail.current?.querySelector<HTMLElement>("input[type=search]")?.focus(),
    },
    {
      keys: "j",
      label: RAIL.nextPlan,
      group: "everywhere",
      run: () => move("ArrowDown"),
    },
    {
      keys: "k",
      label: RAIL.previousPlan,
      group: "everywhere",
      run: () => move("ArrowUp"),
    },
  ]);
  return (
    <nav className={styles.rail} aria-label={RAIL.plans} ref={rail}>
      <ErrorBoundary what={RAIL.planList}>
        <PlanList selected={selected} />
      </ErrorBoundary>
    </nav>
  );
}
