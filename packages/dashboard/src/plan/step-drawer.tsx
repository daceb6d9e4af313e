import { useEffect, useRef } from "react";
import type { PlanView, StepView } from "../api/api-types.ts";
import { dependenciesOf } from "../graph/topology.ts";
import { Icon } from "../ui/icons.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { ForkForm } from "./fork-form.tsx";
import { StepArguments } from "./step-arguments.tsx";
import { StepFacts } from "./step-facts.tsx";
import { StepResult } from "./step-result.tsx";

type Props = {
  readonly view: PlanView;
  readonly step: StepView;
  readonly onSelectStep: (id: string | undefined) => void;
};

/** Everything about one step, beside the plan. Escape closes it and returns to where it was opened. */
export function StepDrawer({ view, step, onSelectStep }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<Element>(null);
  useEffect(() => {
    opener.current = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") onSelectStep(undefined);
    };
    addEventListener("keydown", closeByKey);
    return () => {
      removeEventListener("keydown", closeByKey);
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    };
  }, []);
  const known = new Set<string>(view.steps.map((other) => other.id));
  const before = dependenciesOf(step).filter((id) => known.has(id));
  const after = view.steps
    .filter((other) => dependenciesOf(other).includes(step.id))
    .map((other) => other.id);
  return (
    <aside className="drawer" aria-labelledby="step-title" data-testid="step-drawer">
      <header className="drawer-head">
        <div>
          <h2 id="step-title" tabIndex={-1} ref={heading}>
            {step.description === "" ? step.id : step.description}
          </h2>
          <p className="drawer-meta">
            <StatusBadge status={step.status} />
            <code>{step.id}</code>
            <code>{step.tool}</code>
          </p>
        </div>
        <button
          type="button"
          className="icon-button"
          aria-label="Close the step"
          onClick={() => onSelectStep(undefined)}
        >
          <Icon name="close" />
        </button>
      </header>
      <div className="drawer-body">
        <StepResult planId={view.planId} step={step} />
        <StepArguments view={view} step={step} />
        <ForkForm view={view} step={step} />
        <section>
          <h3>About</h3>
          <StepFacts step={step} critical={view.criticalPath.stepIds.includes(step.id)} />
          <Neighbours label="Waits for" ids={before} onSelect={onSelectStep} />
          <Neighbours label="Needed by" ids={after} onSelect={onSelectStep} />
        </section>
      </div>
    </aside>
  );
}

const NEIGHBOURS_MAX = 40;

function Neighbours({
  label,
  ids,
  onSelect,
}: {
  label: string;
  ids: readonly string[];
  onSelect: (id: string) => void;
}) {
  if (ids.length === 0) return null;
  return (
    <p className="neighbours">
      <span>{label}</span>
      {ids.slice(0, NEIGHBOURS_MAX).map((id) => (
        <button key={id} type="button" className="chip" onClick={() => onSelect(id)}>
          {id}
        </button>
      ))}
      {ids.length > NEIGHBOURS_MAX && <span>and {ids.length - NEIGHBOURS_MAX} more</span>}
    </p>
  );
}
