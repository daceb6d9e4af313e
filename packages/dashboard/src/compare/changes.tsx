import type { Change } from "@planwright/plan/compare";
import type { Json } from "../api/api-types.ts";
import { SourceDiff } from "../code/source-diff.tsx";
import { CHANGES, FIELD_NAMES } from "./compare-words.ts";
import styles from "./compare.module.css";

const CHARS_MAX = 600;

/** Each field that is different, both values side by side; what is large as a difference of its lines. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ field, left, right }) => (
        <div key={field} className={styles.change}>
          <dt>{FIELD_NAMES[field] ?? field.charAt(0).toUpperCase() + field.slice(1)}</dt>
          {isLarge(left) || isLarge(right) ? (
            <dd className={styles.changeLarge}>
              <SourceDiff before={textOf(left)} after={textOf(right)} label={CHANGES.lineByLine(field)} />
            </dd>
          ) : (
            <>
              <Side name={CHANGES.left} value={left} />
              <Side name={CHANGES.right} value={right} />
            </>
          )}
        </div>
      ))}
    </dl>
  );
}

function Side({ name, value }: { name: string; value: Json | undefined }) {
  const text = textOf(value);
  return (
    <dd>
      <span className={styles.compareSide}>{name}</span>
      {value === undefined ? <span className="soft">{CHANGES.none}</span> : text.slice(0, CHARS_MAX)}
      {text.length > CHARS_MAX && "…"}
    </dd>
  );
}

function isLarge(value: Json | undefined): boolean {
  return (typeof value === "object" && value !== null) || (typeof value === "string" && value.includes("\n"));
}

/** A value as text, in lines when it is large. */
export function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
