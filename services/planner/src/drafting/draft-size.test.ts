// `planSize` applies to everything that a model drafts: first drafts, waves and revisions.
import { StepId } from "@planwright/plan";
import { echo } from "@planwright/plan/testing";
import { describe, expect, it } from "vitest";
import type { ChosenStrategy } from "./draft-request.ts";
import { boundsForModel, draftSizeOf, sizeIssuesOf } from "./draft-size.ts";
import { STRATEGIES } from "./strategies.ts";
import { earlier } from "./testing/echo-steps.ts";

const planSize = { min: 3, max: 4 };
const first = (strategy: ChosenStrategy) =>
  draftSizeOf({ planSize, extent: STRATEGIES[strategy].extent, isRevision: false, earlier: entries });
const entries = [
  earlier(echo("a")),
  earlier(echo("b")),
  earlier(echo("c"), { status: "failed", error: { code: "x", message: "x" } }),
];
const ids = (...names: string[]) => names.map((name) => ({ id: StepId.parse(name) }));
const codes = (size: ReturnType<typeof draftSizeOf>, ...names: string[]) =>
  sizeIssuesOf(size, ids(...names)).map(({ code }) => code);

describe("the size of a first draft", () => {
  it.each(["parallel", "sequential", "hierarchical"] as const)("must keep both bounds: %s", (strategy) => {
    const size = first(strategy);
    expect(codes(size, "a", "b")).toEqual(["too_few_steps"]);
    expect(codes(size, "a", "b", "c")).toEqual([]);
    expect(codes(size, "a", "b", "c", "d", "e")).toEqual(["too_many_steps"]);
  });

  it("must keep only the upper bound when it is a wave", () => {
    expect(codes(first("waves"), "a")).toEqual([]);
    expect(codes(first("waves"), "a", "b", "c", "d", "e")).toEqual(["too_many_steps"]);
  });

  it.each(["direct", "code", "tree-search"] as const)("is unlimited with %s", (strategy) => {
    expect(first(strategy)).toBeUndefined();
  });

  it("is unlimited when the submission does not limit it", () => {
    const free = { planSize: undefined, extent: "plan", isRevision: false, earlier: [] } as const;
    expect(codes(draftSizeOf(free))).toEqual([]);
  });
});

describe("the size of a revision", () => {
  const size = draftSizeOf({ planSize, extent: "plan", isRevision: true, earlier: entries });

  it("counts the steps that have succeeded, once each, but not those that failed", () => {
    expect(codes(size, "d")).toEqual([]);
    expect(codes(size, "a", "d", "e")).toEqual([]);
    expect(codes(size, "d", "e", "f")).toEqual(["too_many_steps"]);
    expect(size && boundsForModel(size)).toEqual({ max: 2 });
  });

  it("has no lower bound", () => {
    const atLeast = {
      planSize: { min: 9 },
      extent: "plan",
      isRevision: true,
      earlier: entries,
    } as const;
    expect(draftSizeOf(atLeast)).toBeUndefined();
  });
});
