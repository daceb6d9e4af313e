import clsx from "clsx";
import { useState } from "react";
import type { Json } from "../api/api-types.ts";
import { Button } from "../ui/button.tsx";
import { Folded } from "./folded.tsx";
import { isObject } from "./is-object.ts";
import { CopyJson, JsonView, Token } from "./json-view.tsx";
import { COMMON } from "../ui/ui-words.ts";

/** Shorter JSON is easier to read as text. */
const TEXT_CHARS_MAX = 600;
/** Levels that are expanded at first. */
const OPEN_LEVELS = 2;
const ENTRIES_STEP = 100;
const SUMMARY_NAMES = 4;

/** JSON as a tree with collapsible branches; short JSON as text. */
export function JsonTree({ value }: { value: Json }) {
  const text = JSON.stringify(value, null, 2);
  if (text.length <= TEXT_CHARS_MAX || !isBranch(value)) return <JsonView value={value} />;
  return (
    <div
      className="text-block relative max-h-130 font-mono whitespace-normal"
      data-part="json"
      data-testid="json-tree"
    >
      <CopyJson text={text} />
      <Entries value={value} level={0} />
    </div>
  );
}

type Branch = Extract<Json, object>;

function isBranch(value: Json): value is Branch {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

function Entries({ value, level }: { value: Branch; level: number }) {
  const [shown, setShown] = useState(ENTRIES_STEP);
  const entries = Object.entries(value);
  return (
    <ul className={clsx(level > 0 && "border-l border-line pl-4")}>
      {entries.slice(0, shown).map(([name, entry]) => (
        <li key={name}>
          <Entry name={name} value={entry} level={level} />
        </li>
      ))}
      {entries.length > shown && (
        <li>
          <Button kind="quiet" onClick={() => setShown(shown + ENTRIES_STEP)}>
            {COMMON.showMoreLeft(entries.length - shown)}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Entry({ name, value, level }: { name: string; value: Json; level: number }) {
  const [open, setOpen] = useState(level < OPEN_LEVELS);
  if (!isBranch(value)) {
    return (
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-2 pl-4">
        <Token kind="key">{name}</Token> <Leaf value={value} />
      </div>
    );
  }
  return (
    <details open={open} onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary className="cursor-pointer">
        <Token kind="key">{name}</Token> <span className="text-faint">{summaryOf(value)}</span>
      </summary>
      {open && <Entries value={value} level={level + 1} />}
    </details>
  );
}

function Leaf({ value }: { value: Json }) {
  if (typeof value === "string") {
    return (
      <Folded chars={value.length}>
        <Token kind="string">{JSON.stringify(value)}</Token>
      </Folded>
    );
  }
  return <Token kind={typeof value === "number" ? "number" : "word"}>{JSON.stringify(value)}</Token>;
}

function summaryOf(value: Branch): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  const names = Object.keys(value);
  const shown = names.slice(0, SUMMARY_NAMES).join(", ");
  return `{${shown}${names.length > SUMMARY_NAMES ? ", …" : ""}}`;
}
