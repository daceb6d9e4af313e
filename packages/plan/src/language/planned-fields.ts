import type { Step } from "./plan-language.ts";

/** What a person or a model has written of a step, besides its id; in the order in which changes are told. */
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

/** A field that is new in the language does not compile until it stands above. */
type LeftOut = Exclude<keyof Step, "id" | (typeof PLANNED_FIELDS)[number]>;
true satisfies [LeftOut] extends [never] ? true : never;
