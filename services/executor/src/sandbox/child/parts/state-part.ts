import type { GuestPart } from "../guest-part.ts";

export const STATE = "state";

/**
 * The state that a program continues with and leaves for the next one. Its language is given a box, `{ value }`, lets the program
 * change or replace what is in it, and puts it back there when the program has ended.
 *
 * @param data - A JSON object.
 */
export function statePart(data: unknown): GuestPart {
  return {
    name: STATE,
    functions: {},
    data,
    source: "({ keepState }, host, value) => keepState({ __proto__: null, value })",
  };
}
