/** Untrusted text on a terminal. */
export { jsonText, linePart, oneLine, onlyStyled } from "./plain-text.ts";
