import { dependenciesOf } from "@planwright/plan/dependencies";
import type { PlanView, StepView } from "../api/api-types.ts";
import { STEP_TIES } from "./step-words.ts";
import { COMMON } from "../ui/ui-words.ts";

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
    [STEP_TIES.needs, dependenciesOf(step).filter((id) => known.has(id))],
    [STEP_TIES.neededBy, idsOf((other) => dependenciesOf(other).includes(step.id))],
    [STEP_TIES.verifies, step.verifies === undefined ? [] : [step.verifies]],
    [STEP_TIES.verifiedBy, step.verifiedBy ?? []],
    [STEP_TIES.fallback, step.fallback === undefined ? [] : [step.fallback]],
    [STEP_TIES.fallbackFor, idsOf((other) => other.fallback === step.id)],
    [STEP_TIES.outputFrom, step.replacedBy === undefined ? [] : [step.replacedBy]],
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
        {ids.length > SHOWN_MAX && <span>{COMMON.andMore(ids.length - SHOWN_MAX)}</span>}
      </p>
    ),
  );
}
