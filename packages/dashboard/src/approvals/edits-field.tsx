import type { Json, JsonObject } from "../api/api-types.ts";
import { readJson, readJsonObject } from "../values/read-json.ts";
import { EDITED_JSON } from "./approval-words.ts";
import { TextField } from "./text-field.tsx";

type Props = {
  readonly label: string;
  readonly text: string;
  /** The value of the text. */
  readonly edits: Edited | undefined;
  readonly onChange: (text: string) => void;
};

const ROWS_MAX = 20;

/** A field for the edited value, as JSON. */
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

/** The user's edit of JSON in a text field. */
export type Edited =
  | { readonly kind: "same" }
  | { readonly kind: "changed"; readonly value: JsonObject }
  | { readonly kind: "invalid"; readonly reason: string };

/** @param before - The value shown; the same value in another layout is not an edit. */
export function readEdits(text: string, before: JsonObject): Edited {
  const read = readJsonObject(text, EDITED_JSON.fault);
  if ("reason" in read) return { kind: "invalid", reason: read.reason };
  const isSame = JSON.stringify(read.json) === JSON.stringify(before);
  return isSame ? { kind: "same" } : { kind: "changed", value: read.json };
}

/** Returns the value of JSON text, and other text unchanged: an answer can be either. */
export function readAnswer(text: string): Json {
  const read = readJson(text);
  return "json" in read ? read.json : text;
}
