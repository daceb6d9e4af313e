import type { Change } from "@planwright/plan/compare";
import type { Json } from "../api/api-types.ts";
import { SourceDiff } from "../code/source-diff.tsx";
import { capitalized } from "../ui/format.ts";
import { PAIR, SideName } from "./compare-part.tsx";
import { CHANGES, FIELD_NAMES } from "./compare-words.ts";

const CHARS_MAX = 600;

/** Each field that differs, with both values side by side; large values as a line-by-line difference. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <dl className="grid gap-2 text-sm">
      {changes.map(({ field, left, right }) => (
        <div key={field} className={PAIR}>
          <dt className="col-span-full text-xs text-faint">{FIELD_NAMES[field] ?? capitalized(field)}</dt>
          {isLarge(left) || isLarge(right) ? (
            <dd className="col-span-full">
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
      <SideName side={name} />
      {value === undefined ? <span className="soft">{CHANGES.none}</span> : text.slice(0, CHARS_MAX)}
      {text.length > CHARS_MAX && "…"}
    </dd>
  );
}

function isLarge(value: Json | undefined): boolean {
  return (typeof value === "object" && value !== null) || (typeof value === "string" && value.includes("\n"));
}

/** A value as text, on several lines when it is large. */
export function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
