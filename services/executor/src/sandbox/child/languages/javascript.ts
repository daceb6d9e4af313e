import { QuickJS } from "quickjs-wasi";
import type { GuestLanguage } from "./guest-language.ts";

const FILE = "program.js";
const FRAME_OF_PROGRAM = /program\.js:(\d+)/;

/** The program is the body of an async function. */
export const JAVASCRIPT: GuestLanguage = {
  open: (options) => QuickJS.create(options),
  // On one line, so that the program's lines keep their numbers.
  load: (guest, code, names) =>
    guest.evalCode(`(async (${names.join(", ")}) => { "use strict"; ${code}\n})`, FILE),
  lineOf(stack) {
    const line = FRAME_OF_PROGRAM.exec(stack)?.[1];
    return line === undefined ? undefined : Number(line);
  },
};
