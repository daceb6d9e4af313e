// Each kind of work is wanted from when it is sent until its result is recorded, and under no other number.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerDrafted,
  answerGiven,
  answerReviewed,
  cancelRequested,
  decideNext,
  draftStarted,
  factRecorded,
  planEnded,
  reviewed,
  sealed,
  step,
  submitted,
  succeeded,
} from "../../test/facts.ts";
import { isWorkWanted, type WorkSent } from "./is-work-wanted.ts";

const two = [step("a"), step("b")];
const both = [succeeded("a"), succeeded("b")];
const reviewAnswer = { review: { answer: { maxIterations: 2 } } };
const judged = step("a", [], { tool: "draft.write", review: { maxIterations: 3 } });

const CASES = [
  { kind: "run", plan: after(submitted(two)), result: succeeded("a"), other: { attempt: 2 } },
  { kind: "draft", plan: after(submitted()), result: sealed(), other: { draft: 2 } },
  { kind: "join", plan: after(submitted(two), ...both), result: answerGiven(1), other: { join: 2 } },
  {
    kind: "critique",
    plan: after(submitted(two, reviewAnswer), ...both, answerDrafted(1)),
    result: answerReviewed(),
    other: { of: "plan" },
  },
  {
    kind: "review",
    plan: after(submitted([judged]), succeeded("a", "text")),
    result: reviewed("a"),
    other: { review: 2 },
  },
  {
    kind: "process",
    plan: after(submitted(two, { facts: "all" }), succeeded("a")),
    result: factRecorded("a", []),
    other: { attempt: 2 },
  },
] as const;

describe.each(CASES)("work of the kind $kind", ({ kind, plan, result, other }) => {
  const command = decideNext(plan).find((one) => one.kind === kind);
  const work = command !== undefined && "work" in command ? (command.work as WorkSent) : undefined;
  if (work === undefined) throw new Error(`wanted a command of the kind ${kind}`);

  it("is wanted when it is sent", () => {
    expect(isWorkWanted(plan, work)).toBe(true);
  });

  it("is no longer wanted when its result is recorded", () => {
    const begun = kind === "draft" ? andAfter(plan, draftStarted()) : plan;
    expect(isWorkWanted(begun, work)).toBe(true);
    expect(isWorkWanted(andAfter(begun, result), work)).toBe(false);
  });

  it("is not wanted by a plan that was cancelled and has ended, or that is unknown", () => {
    const ended = andAfter(plan, cancelRequested(), planEnded("cancelled"));
    expect([isWorkWanted(ended, work), isWorkWanted(undefined, work)]).toEqual([false, false]);
  });

  it("is not wanted under another number", () => {
    expect(isWorkWanted(plan, { ...work, ...other })).toBe(false);
  });
});
