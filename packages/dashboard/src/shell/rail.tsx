import { type KeyboardEvent, useRef } from "react";
import { useKeys } from "../keys/use-keys.ts";
import { PlanList } from "../plans/plan-list.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";

/** The list of plans beside every page, which keys go through. */
export function Rail({ selected }: { selected: string | undefined }) {
  const rail = useRef<HTMLElement>(null);
  const move = (by: 1 | -1) => {
    const rows = [...(rail.current?.querySelectorAll<HTMLElement>("a.plan-row") ?? [])];
    const focused = rows.findIndex((row) => row === document.activeElement);
    const from = focused < 0 ? rows.findIndex((row) => row.ariaCurrent !== null) : focused;
    rows[Math.min(rows.length - 1, Math.max(0, from + by))]?.focus();
  };
  useKeys([
    {
      keys: "/",
      label: "Search plans",
      run: () => rail.current?.querySelector<HTMLElement>("input[type=search]")?.focus(),
    },
    { keys: "j", label: "Next plan of the list (in it also ↓)", run: () => move(1) },
    { keys: "k", label: "Plan before it (in the list also ↑)", run: () => move(-1) },
  ]);
  const moveByArrow = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0 || !(event.target instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    move(by);
  };
  return (
    <nav className="rail" aria-label="Plans" ref={rail} onKeyDown={moveByArrow}>
      <ErrorBoundary what="The list of plans">
        <PlanList selected={selected} />
      </ErrorBoundary>
    </nav>
  );
}
