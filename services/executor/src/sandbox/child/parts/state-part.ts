import type { GuestPart } from "../guest-part.ts";

export const STATE = "state";

/**
 * The state that a program receives and leaves for the next one. Its language gets a box, `{ value }`, lets the program change or
 * replace the value, and puts it back when the program has ended.
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
