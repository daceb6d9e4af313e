/** Characters that could control a terminal or reverse the order of a line. */
const STEERING = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`;
const STEERING_RUNS = new RegExp(`${STEERING}+`, "gu");
/** Colors and similar styles, which this program writes itself. */
const STYLE = String.raw`\u001b\[[\d;]*m`;
const STYLE_OR_STEERING = new RegExp(String.raw`${STYLE}|\n|${STEERING}`, "gu");
/** Allowed unescaped in JSON strings; `JSON.stringify` escapes the lower ones. */
const STEERING_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Untrusted text, such as a tool's description, must not control a terminal: control characters become spaces. */
export function oneLine(text: string): string {
  return linePart(text).trimEnd();
}

/** The same for a part of a line, keeping its spaces. */
export function linePart(text: string): string {
  return text.replaceAll(STEERING_RUNS, " ");
}

/** Removes everything that could control a terminal, except for line breaks and styles. */
export function onlyStyled(text: string): string {
  return text.replaceAll(STYLE_OR_STEERING, (found) => (found === "\n" || found.endsWith("m") ? found : " "));
}

/** Returns equivalent JSON that cannot control a terminal. @param indent - Spaces per level; absent: on one line. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(STEERING_IN_JSON, (found) =>
    Array.from({ length: found.length }, (_, at) => unicodeEscape(found.charCodeAt(at))).join(""),
  );
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
