import type { GuestPart } from "../guest-part.ts";

/** What the step gives its program: a JSON value. */
export function inputPart(data: unknown): GuestPart {
  return { name: "input", functions: {}, data, source: "(own, host, input) => input" };
}
