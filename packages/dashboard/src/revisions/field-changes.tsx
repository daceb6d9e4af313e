import type { FieldChange } from "@planwright/plan/revision-diff";
import type { Json } from "../api/api-types.ts";
import { isObject } from "../values/is-object.ts";
import { ShortValue } from "../values/short-value.tsx";
import { FIELD_CHANGES } from "./revision-words.ts";
import styles from "./revisions.module.css";

/** What is different about a step, field by field; of its arguments each by itself. */
export function FieldChanges({ fields }: { fields: readonly FieldChange[] }) {
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
