import type { Json } from "../api/api-types.ts";
import { Folded } from "./folded.tsx";
import { JsonView } from "./json-view.tsx";
import { SHORT_VALUE } from "./value-words.ts";

const INLINE_CHARS_MAX = 200;

/** A value in as little room as possible: text as text, short values on one line, anything else as JSON. */
export function ShortValue({ value }: { value: Json }) {
  if (typeof value === "string") {
    if (value === "") return <p className="soft">{SHORT_VALUE.emptyText}</p>;
    return (
      <Folded chars={value.length}>
        <p className="whitespace-pre-wrap">{value}</p>
      </Folded>
    );
  }
  const text = JSON.stringify(value);
  if (text.length <= INLINE_CHARS_MAX)
    return <code className="wrap-anywhere whitespace-pre-wrap">{text}</code>;
  return <JsonView value={value} />;
}
