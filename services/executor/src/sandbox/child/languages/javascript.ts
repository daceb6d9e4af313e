import { QuickJS } from "quickjs-wasi";
import { STATE } from "../parts/state-part.ts";
import type { GuestLanguage } from "./guest-language.ts";

const FILE = "program.js";
const FRAME_OF_PROGRAM = /program\.js:(\d+)/;

/**
 * The program becomes the body of an async function nested in another one, so that it can redeclare the names that it is given
 * and reassign its state.
 */
export const JAVASCRIPT: GuestLanguage = {
  open: (options) => QuickJS.create(options),
  // On one line, so that the program's line numbers are unchanged.
  load: (guest, code, names) => {
    const parameters = names.map((name) => (name === STATE ? "__box" : name)).join(", ");
    const body = `(async () => { "use strict"; ${code}\n})()`;
    const kept = names.includes(STATE)
      ? `let state = __box.value; try { return await ${body} } finally { __box.value = state }`
      : `return await ${body}`;
    return guest.evalCode(`(async (${parameters}) => { ${kept} })`, FILE);
  },
  lineOf(stack) {
    const line = FRAME_OF_PROGRAM.exec(stack)?.[1];
    return line === undefined ? undefined : Number(line);
  },
};
