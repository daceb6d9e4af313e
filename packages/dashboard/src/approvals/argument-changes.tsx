import { diffText } from "@planwright/plan/compare";
import type { Json, JsonObject } from "../api/api-types.ts";
import { SourceDiff } from "../code/source-diff.tsx";
import { TextDifference } from "../compare/text-difference.tsx";
import { EDITOR } from "./approval-words.ts";
import { isSame } from "./check-argument.ts";
import styles from "./approvals.module.css";

/** What is different about the arguments, one by one: within a line what was taken out and put in, else line by line. */
export function ArgumentChanges({
  proposed,
  args,
}: {
  readonly proposed: JsonObject;
  readonly args: JsonObject;
}) {
  const names = [...new Set([...Object.keys(proposed), ...Object.keys(args)])];
  const changed = names.filter((name) => !isSame(valueOf(proposed, name), valueOf(args, name)));
  if (changed.length === 0) return <p className={styles.argumentNote}>{EDITOR.noChanges}</p>;
  return (
    <section className={styles.argumentChanges} aria-label={EDITOR.changes}>
      <h4>{EDITOR.changes}</h4>
      <dl>
        {changed.map((name) => (
          <Change key={name} name={name} before={valueOf(proposed, name)} after={valueOf(args, name)} />
        ))}
      </dl>
    </section>
  );
}

type ChangeProps = {
  readonly name: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
};

function Change({ name, before, after }: ChangeProps) {
  const [left, right] = [textOf(before), textOf(after)];
  const isLong = left.includes("\n") || right.includes("\n");
  return (
    <div>
      <dt>
        <code>{name}</code> {before === undefined && EDITOR.added}
        {after === undefined && EDITOR.removed}
      </dt>
      <dd>
        {isLong ? (
          <SourceDiff before={left} after={right} label={EDITOR.diffLabel(name)} />
        ) : (
          <TextDifference parts={diffText(left, right)} />
        )}
      </dd>
    </div>
  );
}

/** Text as it is, unless what it replaces is no text: then both are JSON. */
function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function valueOf(args: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}
