import { expect, it } from "vitest";
import { NO_OPTIONS } from "./request-of.ts";
import { readDraft } from "./use-draft.ts";

it("reads the stored form, field by field", () => {
  const options = { ...NO_OPTIONS, usd: "0.5", risk: "low", data: ["sales"] } as const;
  const draft = { goal: "g", strategy: "code", options } as const;
  expect(readDraft(JSON.stringify(draft))).toEqual(draft);
});

it.each([
  null,
  "{",
  "null",
  '{"goal": 7, "strategy": "magic", "options": {"risk": "all", "data": [1], "usd": 3, "approvePlan": "yes"}}',
])("starts with an empty form if %s is stored", (stored) => {
  expect(readDraft(stored)).toEqual({ goal: "", strategy: "auto", options: NO_OPTIONS });
});
