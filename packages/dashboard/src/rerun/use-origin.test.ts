import { expect, it } from "vitest";
import { NO_OPTIONS, requestOf } from "../submit/request-of.ts";
import { editedSubmission, editsBetween, formOf } from "./use-origin.ts";

/** As the gateway returns it: with fields that the form does not have. */
const ORIGIN = {
  goal: "g",
  strategy: "parallel",
  constraints: ["be brief", "in German"],
  data: ["sales"],
  approval: { plan: false, risk: "medium", confidenceBelow: 0.5 },
  budget: { tokens: 100, steps: 5, onExhausted: "ask" },
  planSize: { max: 12 },
  requireSources: true,
  metadata: { team: "ops" },
  maxReplans: 1,
} as const;

it("fills the form with the submission", () => {
  expect(formOf(ORIGIN)).toEqual({
    goal: "g",
    strategy: "parallel",
    options: {
      ...NO_OPTIONS,
      risk: "medium",
      tokens: "100",
      constraints: "be brief\nin German",
      data: ["sales"],
      stepsMax: "12",
      requireSources: true,
    },
  });
});

it.each([
  ["a goal", ORIGIN],
  ["a submitted plan", { ...ORIGIN, plan: { steps: [], answerFrom: "a" } }],
  [
    "a text",
    { ...ORIGIN, strategy: "auto", input: { text: "long", chunkChars: 600, groupSize: 3 } } as const,
  ],
])("has no edits when the form of %s is submitted unchanged", (_what, origin) => {
  const { goal, strategy, options } = formOf(origin);
  expect(editsBetween(origin, editedSubmission(origin, requestOf(goal, strategy, options)))).toEqual({});
});

it("edits changed fields, removes cleared ones, and keeps the rest", () => {
  const { options } = formOf(ORIGIN);
  const steps = { stepsMin: "3", stepsMax: "", requireSources: false };
  const changed = { ...options, ...steps, risk: "low", tokens: "", constraints: "" } as const;
  const edited = editedSubmission(ORIGIN, requestOf("other", "parallel", changed));
  expect(edited).toMatchObject({ metadata: { team: "ops" }, maxReplans: 1 });
  expect(editsBetween(ORIGIN, edited)).toEqual({
    goal: "other",
    constraints: null,
    approval: { plan: false, risk: "low", confidenceBelow: 0.5 },
    budget: { steps: 5, onExhausted: "ask" },
    planSize: { min: 3 },
    requireSources: null,
  });
});

it("has no budget without limits, and no review of the draft with a predefined plan", () => {
  const origin = {
    ...ORIGIN,
    budget: { usd: 1, onExhausted: "end" },
    review: { plan: true, steps: true },
  } as const;
  const options = { ...formOf(origin).options, usd: "", plan: '{"steps": []}' };
  const edits = editsBetween(origin, editedSubmission(origin, requestOf("g", "parallel", options)));
  expect(edits).toEqual({ budget: null, plan: { steps: [] }, review: { plan: false, steps: true } });
});
