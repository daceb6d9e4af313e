import type { Json, JsonObject } from "../api/api-types.ts";
import { readJson, readJsonObject } from "../values/read-json.ts";
import { EDITED_JSON } from "./approval-words.ts";
import { TextField } from "./text-field.tsx";

type Props = {
  readonly label: string;
  readonly text: string;
  /** What the text says. */
  readonly edits: Edited | undefined;
  readonly onChange: (text: string) => void;
};

const ROWS_MAX = 20;

/** Where a person writes what is to run instead, as JSON. */
export function EditsField({ label, text, edits, onChange }: Props) {
  const isInvalid = edits?.kind === "invalid";
  return (
    <TextField
      label={label}
      className="font-mono text-sm"
      rows={Math.min(ROWS_MAX, text.split("\n").length + 1)}
      spellCheck={false}
      value={text}
      aria-invalid={isInvalid}
      onChange={onChange}
    >
      {isInvalid && (
        <p className="text-sm text-bad" role="alert">
          {edits.reason}
        </p>
      )}
    </TextField>
  );
}

/** What a person makes of JSON in a text field. */
export type Edited =
  | { readonly kind: "same" }
  | { readonly kind: "changed"; readonly value: JsonObject }
  | { readonly kind: "invalid"; readonly reason: string };

/** @param before - What was shown; the same value in another layout is no edit. */
export function readEdits(text: string, before: JsonObject): Edited {
  const read = readJsonObject(text, EDITED_JSON.fault);
  if ("reason" in read) return { kind: "invalid", reason: read.reason };
  const isSame = JSON.stringify(read.json) === JSON.stringify(before);
  return isSame ? { kind: "same" } : { kind: "changed", value: read.json };
}

/** Text that is JSON as what it says, other text as it is: an answer may be either. */
export function readAnswer(text: string): Json {
  const read = readJson(text);
  return "json" in read ? read.json : text;
}
