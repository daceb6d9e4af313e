/** Characters that could control a terminal or reverse the order of a line. */
const STEERING = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`;
const STEERING_RUNS = new RegExp(`${STEERING}+`, "gu");
/** Colours and the like, which this program writes itself. */
const STYLE = String.raw`\u001b\[[\d;]*m`;
const STYLE_OR_STEERING = new RegExp(String.raw`${STYLE}|\n|${STEERING}`, "gu");
/** JSON takes them as they are; those below are escaped by itself. */
const STEERING_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Untrusted text, such as a tool's description, must not steer a terminal: control characters become spaces. */
export function oneLine(text: string): string {
  return linePart(text).trimEnd();
}

/** The same for a part of a line, whose spaces count. */
export function linePart(text: string): string {
  return text.replaceAll(STEERING_RUNS, " ");
}

/** Whatever is to be shown: of what could steer a terminal, ends of lines and styles stay. */
export function onlyStyled(text: string): string {
  return text.replaceAll(STYLE_OR_STEERING, (found) => (found === "\n" || found.endsWith("m") ? found : " "));
}

/** A value as JSON that says the same to programs, and steers no terminal. @param indent - Spaces a level; none: on one line. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(STEERING_IN_JSON, (found) =>
    Array.from({ length: found.length }, (_, at) => unicodeEscape(found.charCodeAt(at))).join(""),
  );
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
