import { type ReactNode, useState } from "react";
import type { Json } from "../api/api-types.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { JSON_VIEW } from "./value-words.ts";

/** More is shown on request: a megabyte of JSON would freeze the page. */
const CHARS_SHOWN = 6_000;
const CHARS_MAX = 200_000;
/** A truncated string has no end: searching for one from every quote inside it would take minutes. */
const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON as text, indented and coloured. */
export function JsonView({ value }: { value: Json }) {
  const [all, setAll] = useState(false);
  const text = JSON.stringify(value, null, 2);
  const shown = text.slice(0, all ? CHARS_MAX : CHARS_SHOWN);
  return (
    <div className="relative rounded-md border border-line bg-sunken" data-part="json">
      <CopyJson text={text} />
      <pre className="text-block border-0" tabIndex={0} aria-label={JSON_VIEW.json}>
        {colour(shown)}
      </pre>
      {text.length > shown.length && (
        <p className="border-t border-line px-2 py-1 text-sm text-faint">
          {all ? (
            JSON_VIEW.moreCharacters(text.length - shown.length)
          ) : (
            <Button kind="quiet" onClick={() => setAll(true)}>
              {JSON_VIEW.showAll}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

/** In the corner of the copied content. */
export function CopyJson({ text }: { text: string }) {
  return (
    <div className="absolute top-1 right-1 rounded-md bg-sunken">
      <CopyButton text={text} label={JSON_VIEW.copyJson} />
    </div>
  );
}

const COLOURS = {
  key: "text-(--service-3)",
  string: "text-ok",
  number: "text-(--service-4)",
  word: "text-(--service-4)",
} as const;

export function Token({ kind, children }: { kind: keyof typeof COLOURS; children: ReactNode }) {
  return <span className={COLOURS[kind]}>{children}</span>;
}

/** Splits the text; coloured parts become elements. */
export function colour(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon, word] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    const kind =
      string === undefined
        ? word === undefined
          ? "number"
          : "word"
        : colon === undefined
          ? "string"
          : "key";
    parts.push(
      <Token key={match.index} kind={kind}>
        {token}
      </Token>,
    );
    end = match.index + token.length;
  }
  parts.push(text.slice(end));
  return parts;
}
