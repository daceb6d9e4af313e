import clsx from "clsx";
import { whyWaiting } from "@planwright/plan/why-waiting";
import { memo, useContext, useMemo, useRef, useState } from "react";
import type { StepView } from "../api/api-types.ts";
import { PlanClockContext } from "../clock/plan-clock.ts";
import { Ticking } from "../clock/ticking.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { StepTime } from "../step/step-time.tsx";
import { Icon } from "../ui/icons.tsx";
import { Pager, partsOf, partWith } from "../ui/pager.tsx";
import { StepStatusBadge } from "../ui/status-badge.tsx";
import { useSameFunction } from "../ui/use-stable.ts";
import type { TabProps } from "./plan-tabs.tsx";
import { PLAN_WORDS, STEPS_TAB } from "./plan-words.ts";
import { slowestFirst, useSlowestFirst } from "./step-order.ts";
import { StepSearchField } from "./step-search-field.tsx";
import { useStepSearch } from "./use-step-search.ts";

/** Rows drawn at a time; the search covers all of them. */
const ROWS_PART = 150;

/** The steps as a table, in the plan's order: the alternative for users who cannot or do not want to use the graph. */
export function StepsTab({
  view,
  selected,
  onSelectStep,
  isPrinted = false,
}: TabProps & { isPrinted?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const search = useStepSearch(view.steps);
  const select = useSameFunction(onSelectStep);
  const clock = useContext(PlanClockContext);
  const byId = useMemo(() => new Map<string, StepView>(view.steps.map((step) => [step.id, step])), [view]);
  const whyAt = useSameFunction((id: string, nowMs: number) => {
    const step = byId.get(id);
    return (step && whyWaiting(view, step, nowMs)) ?? "";
  });
  const critical = new Set<string>(view.criticalPath.stepIds);
  const [isSlowestFirst, toggleOrder] = useSlowestFirst();
  const inPlanOrder = search.found ?? view.steps;
  const steps = isSlowestFirst ? slowestFirst(inPlanOrder, clock.now()) : inPlanOrder;
  const parts = partsOf(steps.length, isPrinted ? steps.length : ROWS_PART);
  // A link to a step leads to its row in the table.
  const [wanted, setWanted] = useState(() => partWith(indexOf(steps, selected), parts));
  const at = Math.min(wanted, parts.length - 1);
  const shown = parts[at] ?? { first: 0, end: 0 };
  if (view.steps.length === 0) return <EmptyState of={view.ended ? "noSteps" : "noStepsYet"} />;
  const go = (part: number) => {
    setWanted(part);
    place.current?.scrollIntoView({ block: "nearest" });
  };
  const pager = (label: string) => (
    <Pager
      label={label}
      words={[STEPS_TAB.first, STEPS_TAB.previous, STEPS_TAB.next, STEPS_TAB.last]}
      at={at}
      parts={parts.length}
      shown={shown}
      rows={steps.length}
      onGo={go}
    />
  );
  return (
    <>
      {search.isOffered && <StepSearchField search={search} />}
      {pager(STEPS_TAB.stepPages)}
      <div className="@container scroll-x" ref={place}>
        <table className="table @max-[620px]:[&_:is(th,td)]:px-2" data-part="steps-table">
          <Head isSlowestFirst={isSlowestFirst} onOrder={toggleOrder} />
          <tbody>
            {steps.slice(shown.first, shown.end).map((step) => (
              <Row
                key={step.id}
                step={step}
                why={whyWaiting(view, step, clock.now())}
                whyAt={whyAt}
                critical={critical.has(step.id)}
                selected={step.id === selected}
                onSelect={select}
              />
            ))}
          </tbody>
        </table>
      </div>
      {pager(STEPS_TAB.pagesBelow)}
    </>
  );
}

function Head({ isSlowestFirst, onOrder }: { isSlowestFirst: boolean; onOrder: () => void }) {
  return (
    <thead>
      <tr>
        <th className="w-full @min-[900px]:w-1/2" scope="col">
          {PLAN_WORDS.step}
        </th>
        <th scope="col">{PLAN_WORDS.status}</th>
        <th className="@max-[620px]:hidden" scope="col">
          {PLAN_WORDS.tool}
        </th>
        <th scope="col" className="number" aria-sort={isSlowestFirst ? "descending" : undefined}>
          <button
            type="button"
            className={clsx(
              "inline-flex items-center gap-1.5 border-0 bg-transparent p-0",
              isSlowestFirst && "text-accent-strong",
            )}
            title={PLAN_WORDS.slowestFirst}
            onClick={onOrder}
          >
            {PLAN_WORDS.took}
            <Icon name={isSlowestFirst ? "down" : "order"} size={12} />
          </button>
        </th>
      </tr>
    </thead>
  );
}

function indexOf(steps: readonly StepView[], id: string | undefined): number {
  return steps.findIndex((step) => step.id === id);
}

type RowProps = {
  readonly step: StepView;
  /** Why the step was waiting when the plan last changed. */
  readonly why: string | undefined;
  /** The same at a later time, because it includes how long the step has been waiting. */
  readonly whyAt: (stepId: string, nowMs: number) => string;
  readonly critical: boolean;
  readonly selected: boolean;
  readonly onSelect: (id: string) => void;
};

/** Rendered again only when its step has changed. */
const Row = memo(function Row({ step, why, whyAt, critical, selected, onSelect }: RowProps) {
  return (
    <tr
      className="cursor-pointer hover:bg-sunken data-[selected=true]:bg-accent-soft"
      data-selected={selected}
      onClick={() => onSelect(step.id)}
    >
      <td className="max-w-none">
        <button
          type="button"
          className="border-0 bg-transparent p-0 text-left"
          onClick={() => onSelect(step.id)}
        >
          <code className="mr-2 text-faint">{step.id}</code>
          {critical && (
            <span className="mr-2 text-critical" aria-hidden="true" title={STEPS_TAB.onTheCriticalPath}>
              <Icon name="critical" size={9} />
            </span>
          )}{" "}
          {step.description}
        </button>
        {critical && <span className="visually-hidden">{STEPS_TAB.criticalPathRead}</span>}
      </td>
      <td>
        <StepStatusBadge step={step} plain />
        {why !== undefined && (
          <Ticking
            className="block text-xs wrap-anywhere text-soft @min-[520px]:w-36 @min-[900px]:w-auto"
            textAt={(nowMs) => whyAt(step.id, nowMs)}
          />
        )}
      </td>
      <td className="@max-[620px]:hidden">
        <code>{step.tool}</code>
      </td>
      <td className="number">
        <StepTime step={step} />
      </td>
    </tr>
  );
});
