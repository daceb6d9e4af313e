import { whyWaiting } from "@planwright/plan/why-waiting";
import { memo, useState } from "react";
import type { StepView } from "../api/api-types.ts";
import { formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Notice } from "../ui/notice.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { useSameFunction } from "../ui/use-same-function.ts";
import type { TabProps } from "./plan-tabs.tsx";
import { StepSearchField } from "./step-search-field.tsx";
import { useStepSearch } from "./use-step-search.ts";

const ROWS_STEP = 200;

/** The steps as a table, in the plan's order: the graph for those who cannot or do not want to see it. */
export function StepsTab({ view, selected, onSelectStep }: TabProps) {
  const [shown, setShown] = useState(ROWS_STEP);
  const search = useStepSearch(view.steps);
  const select = useSameFunction(onSelectStep);
  const critical = new Set<string>(view.criticalPath.stepIds);
  const steps = search.found ?? view.steps;
  if (view.steps.length === 0) return <Notice icon="planning" title="No steps yet" />;
  return (
    <>
      {search.isOffered && <StepSearchField search={search} />}
      <div className="scroll-x">
        <table className="table steps-table">
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">Status</th>
              <th scope="col">Tool</th>
              <th scope="col" className="number">
                Took
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.slice(0, shown).map((step) => (
              <Row
                key={step.id}
                step={step}
                why={whyWaiting(view, step)}
                critical={critical.has(step.id)}
                selected={step.id === selected}
                onSelect={select}
              />
            ))}
          </tbody>
        </table>
      </div>
      {steps.length > shown && (
        <button type="button" className="button button-quiet" onClick={() => setShown(shown + ROWS_STEP)}>
          Show more ({steps.length - shown} left)
        </button>
      )}
    </>
  );
}

type RowProps = {
  readonly step: StepView;
  /** What it waits for, in words. */
  readonly why: string | undefined;
  readonly critical: boolean;
  readonly selected: boolean;
  readonly onSelect: (id: string) => void;
};

/** Drawn again only when its step has changed. */
const Row = memo(function Row({ step, why, critical, selected, onSelect }: RowProps) {
  return (
    <tr data-selected={selected} onClick={() => onSelect(step.id)}>
      <td>
        <button type="button" className="row-button" onClick={() => onSelect(step.id)}>
          <code>{step.id}</code> {step.description}
        </button>
        {critical && (
          <span className="critical-mark" title="On the critical path">
            <Icon name="critical" size={9} />
            <span className="visually-hidden">on the critical path</span>
          </span>
        )}
      </td>
      <td>
        <StatusBadge status={step.status} plain />
        {why !== undefined && <span className="step-why">{why}</span>}
      </td>
      <td>
        <code>{step.tool}</code>
      </td>
      <td className="number">{step.durationMs === undefined ? "" : formatDuration(step.durationMs)}</td>
    </tr>
  );
});
