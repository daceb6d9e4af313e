/** Words of strangers on a terminal. */
export { jsonText, oneLine, onlyStyled } from "./plain-text.ts";
