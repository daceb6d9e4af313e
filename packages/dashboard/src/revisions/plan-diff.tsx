import type { FieldChange, PlanDiff } from "@planwright/plan/revision-diff";
import type { Json } from "../api/api-types.ts";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { Icon, type IconName } from "../ui/icons.tsx";
import { COMMON } from "../ui/ui-words.ts";
import { isObject } from "../values/is-object.ts";
import { ShortValue } from "../values/short-value.tsx";
import { FIELD_CHANGES, PLAN_DIFF } from "./revision-words.ts";
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

/** What is different about a step, field by field; of its arguments each by itself. */
function FieldChanges({ fields }: { fields: readonly FieldChange[] }) {
  if (fields.length === 0) return <p className="soft">{FIELD_CHANGES.unchanged}</p>;
  return (
    <dl className={styles.fieldChanges}>
      {fields.flatMap(intoParts).map(({ field, before, after }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <Side word="before" value={before} />
            <Side word="after" value={after} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Side({ word, value }: { word: "before" | "after"; value: Json | undefined }) {
  return (
    <div className={styles.side} data-side={word}>
      <span className="visually-hidden">{word}: </span>
      {value === undefined ? (
        <span className="soft">{FIELD_CHANGES.notSet}</span>
      ) : (
        <ShortValue value={value} />
      )}
    </div>
  );
}

/** Arguments that stayed as they were say nothing. */
function intoParts(change: FieldChange): FieldChange[] {
  const { field, before, after } = change;
  if (field !== "args" || !isObject(before) || !isObject(after)) return [change];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, fresh] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(fresh)) return [];
    return [
      {
        field: `args.${name}`,
        ...(old === undefined ? {} : { before: old }),
        ...(fresh === undefined ? {} : { after: fresh }),
      },
    ];
  });
}
