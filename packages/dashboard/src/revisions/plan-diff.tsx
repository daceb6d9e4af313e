import type { PlanDiff } from "@planwright/plan/revision-diff";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { Icon, type IconName } from "../ui/icons.tsx";
import { FieldChanges } from "./field-changes.tsx";
import { PLAN_DIFF } from "./revision-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import styles from "./revisions.module.css";

const KEPT_SHOWN = 60;
const CHANGES_SHOWN = 100;

type Select = TabProps["onSelectStep"];
type DiffStep = PlanDiff["added"][number];

/** What is other than before: changed steps field by field, those that came, those that went, those that stayed. */
export function Diff({ diff, onSelectStep }: { diff: PlanDiff; onSelectStep: Select }) {
  const { added, removed, changed, kept } = diff;
  const total = added.length + removed.length + changed.length;
  return (
    <>
      <ul className={styles.revisionDiff}>
        {changed.slice(0, CHANGES_SHOWN).map(({ before, after, fields }) => (
          <li key={after.id} className={styles.diffChanged}>
            <DiffHead icon="planning" word={PLAN_DIFF.changed} step={after} onSelect={onSelectStep} />
            {before.id !== after.id && (
              <p className="soft">
                {PLAN_DIFF.replaces} <StepChip id={before.id} onSelect={onSelectStep} />
              </p>
            )}
            <FieldChanges fields={fields} />
          </li>
        ))}
        {added.slice(0, CHANGES_SHOWN).map((step) => (
          <li key={step.id} className={styles.diffAdded}>
            <DiffHead icon="plus" word={PLAN_DIFF.added} step={step} onSelect={onSelectStep} />
          </li>
        ))}
        {removed.slice(0, CHANGES_SHOWN).map((step) => (
          <li key={step.id} className={styles.diffRemoved}>
            <DiffHead icon="close" word={PLAN_DIFF.removed} step={step} onSelect={onSelectStep} />
          </li>
        ))}
      </ul>
      {total === 0 && <p className="soft">{PLAN_DIFF.noStepsChanged}</p>}
      {Math.max(added.length, removed.length, changed.length) > CHANGES_SHOWN && (
        <p className="soft">
          {PLAN_DIFF.firstShown(changed.length, added.length, removed.length, CHANGES_SHOWN)}
        </p>
      )}
      {kept.length > 0 && (
        <p className="neighbours">
          <span>{PLAN_DIFF.kept}</span>
          {kept.slice(0, KEPT_SHOWN).map(({ id }) => (
            <StepChip key={id} id={id} onSelect={onSelectStep} />
          ))}
          {kept.length > KEPT_SHOWN && <span>{COMMON.andMore(kept.length - KEPT_SHOWN)}</span>}
        </p>
      )}
    </>
  );
}

type HeadProps = {
  readonly icon: IconName;
  readonly word: string;
  readonly step: DiffStep;
  readonly onSelect: Select;
};

function DiffHead({ icon, word, step, onSelect }: HeadProps) {
  return (
    <p className={styles.diffHead}>
      <Icon name={icon} size={13} />
      <strong>{word}</strong>
      <StepChip id={step.id} onSelect={onSelect} />
      <span>{step.description}</span>
      <code>{step.tool}</code>
    </p>
  );
}

export function StepChip({ id, onSelect }: { id: string; onSelect: Select }) {
  return (
    <button type="button" className="chip" onClick={() => onSelect(id)}>
      {id}
    </button>
  );
}
