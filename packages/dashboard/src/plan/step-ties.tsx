import { dependenciesOf } from "@planwright/plan/dependencies";
import type { PlanView, StepView } from "../api/api-types.ts";

const SHOWN_MAX = 40;

type Props = {
  readonly view: Pick<PlanView, "steps">;
  readonly step: StepView;
  readonly onSelectStep: (id: string) => void;
};

/** The steps that a step has to do with, by what it has to do with them. */
export function StepTies({ view: { steps }, step, onSelectStep }: Props) {
  const known = new Set<string>(steps.map((other) => other.id));
  const idsOf = (which: (other: StepView) => boolean) => steps.filter(which).map((other) => other.id);
  const ties: [string, readonly string[]][] = [
    ["Needs", dependenciesOf(step).filter((id) => known.has(id))],
    ["Needed by", idsOf((other) => dependenciesOf(other).includes(step.id))],
    ["Verifies", step.verifies === undefined ? [] : [step.verifies]],
    ["Verified by", step.verifiedBy ?? []],
    ["Fallback", step.fallback === undefined ? [] : [step.fallback]],
    ["Fallback for", idsOf((other) => other.fallback === step.id)],
    ["Output from", step.replacedBy === undefined ? [] : [step.replacedBy]],
  ];
  return ties.map(([label, ids]) =>
    ids.length === 0 ? null : (
      <p key={label} className="neighbours">
        <span>{label}</span>
        {ids.slice(0, SHOWN_MAX).map((id) => (
          <button key={id} type="button" className="chip" onClick={() => onSelectStep(id)}>
            {id}
          </button>
        ))}
        {ids.length > SHOWN_MAX && <span>and {ids.length - SHOWN_MAX} more</span>}
      </p>
    ),
  );
}
