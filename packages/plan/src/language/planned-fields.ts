import type { Step } from "./plan-language.ts";

/** The fields of a step that a user or a model writes, except its id; in the order in which changes are shown. */
export const PLANNED_FIELDS = [
  "description",
  "tool",
  "args",
  "dependsOn",
  "when",
  "forEach",
  "verifies",
  "fallback",
  "compensate",
  "successCriteria",
  "expectedOutput",
  "review",
  "agent",
  "model",
  "timeoutMs",
  "retry",
  "confidence",
] as const satisfies readonly (keyof Step)[];

/** A new field of the language does not compile until it is listed above. */
type LeftOut = Exclude<keyof Step, "id" | (typeof PLANNED_FIELDS)[number]>;
true satisfies [LeftOut] extends [never] ? true : never;
