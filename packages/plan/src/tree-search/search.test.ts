import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  answerGiven,
  draftStarted,
  failed,
  joinAbandoned,
  kindsOf,
  nodesValued,
  planned,
  revisionRequested,
  sealed,
  submitted,
  succeeded,
} from "../../test/facts.ts";
import { onAnswerSteps } from "../machine/drafting/strategies.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { viewOf } from "../view/plan-view.ts";
import { expansionOf, valuedActions } from "./expansion.ts";

const SETTINGS = { iterations: 4, width: 2, depth: 3, exploration: 1 };
const goal = (search: object = SETTINGS) => submitted(undefined, { strategy: "tree-search", search });

/** Round `draft` proposes these actions, of which those without a value fail. */
function tried(plan: KnownPlan, draft: number, values: Record<string, number | undefined>): KnownPlan {
  const ids = Object.keys(values);
  const proposals = ids.map((id, index) => planned({ id, tool: "flow.echo" }, { draft, index }));
  const sealedPlan = andAfter(plan, draftStarted(draft, "tree-search"), ...proposals, sealed(draft));
  return ids.reduce(
    (at, id) => andAfter(at, values[id] === undefined ? failed(id) : succeeded(id, `of ${id}`)),
    sealedPlan,
  );
}

/** The same, followed by the review of the results. */
function round(plan: KnownPlan, draft: number, values: Record<string, number>): KnownPlan {
  return andAfter(tried(plan, draft, values), nodesValued(plan.joining.number + 1, values));
}

const searchOf = (plan: KnownPlan) => viewOf(plan, 0).search;

it("takes the rounds, choices and path that were computed by hand for its tree", () => {
  let plan = round(after(goal()), 1, { a: 0.8, b: 0.6 });
  expect(kindsOf(plan)).toEqual(["draft"]);
  plan = round(plan, 2, { a1: 0.2, a2: 0.1 });
  plan = round(plan, 3, { b1: 0.9, b2: 0.3 });
  plan = round(plan, 4, { c: 1, d: 0.4 });
  expect(kindsOf(plan), "the goal is reached: the plan is to be answered").toEqual(["join"]);
  expect(searchOf(plan)).toMatchObject({
    phase: "answering",
    rounds: [{ round: 1 }, { round: 2, leaf: "a" }, { round: 3, leaf: "b" }, { round: 4, leaf: "b1" }],
    root: { visits: 8, meanValue: expect.closeTo(4.3 / 8) },
    bestPath: ["b", "b1", "c"],
  });
  const visits = Object.fromEntries(searchOf(plan)?.nodes.map((node) => [node.id, node.visits]) ?? []);
  expect(visits).toEqual({ a: 3, b: 5, a1: 1, a2: 1, b1: 3, b2: 1, c: 1, d: 1 });
  expect([...onAnswerSteps(plan).steps.keys()]).toEqual(["b", "b1", "c"]);
  expect(andAfter(plan, answerGiven(plan.joining.number)).conclusion?.outcome).toBe("succeeded");
});

it("starts with no path, as wide as the goal requests, and has nothing to value", () => {
  expect(expansionOf(after(goal({ width: 4 })))).toEqual({ path: [], width: 4, tried: [] });
  const plain = after(submitted());
  expect(expansionOf(plain)).toMatchObject({ path: [], tried: [] });
  expect(expansionOf(plain).width).toBeGreaterThan(1);
  expect(valuedActions(plain)).toEqual([]);
});

it("proposes actions after the path to the selected one, and lists those tried elsewhere", () => {
  const plan = round(round(after(goal()), 1, { a: 0.8, b: 0.6 }), 2, { a1: 0.2, a2: 0.1 });
  const { path, tried: others, width } = expansionOf(plan);
  expect(width).toBe(2);
  expect(path.map(({ step }) => step.id)).toEqual(["b"]);
  expect(others.map(({ entry, node }) => [entry.step.id, node.value])).toEqual([
    ["a", 0.8],
    ["a1", 0.2],
    ["a2", 0.1],
  ]);
});

describe("a round", () => {
  it("values only the actions that succeeded; the others are worth nothing, and are not expanded (SEARCH-2)", () => {
    const plan = tried(after(goal()), 1, { a: undefined, b: 0.6 });
    expect(valuedActions(plan).map(({ step }) => step.id)).toEqual(["b"]);
    const valued = andAfter(plan, nodesValued(1, { a: 0.9, b: 0.6 }));
    expect(searchOf(valued)?.nodes).toMatchObject([
      { id: "a", status: "failed", value: 0, reason: "boom", visits: 1 },
      { id: "b", status: "open", value: 0.6 },
    ]);
    expect(searchOf(valued)?.rounds.at(-1)).toEqual({ round: 2, leaf: "b" });
  });

  it("in which no action succeeded requests no values", () => {
    const plan = tried(round(after(goal()), 1, { a: 0.8, b: 0.6 }), 2, { a1: undefined, a2: undefined });
    expect(kindsOf(plan)).toEqual(["draft"]);
    expect(searchOf(plan)?.rounds.at(-1)).toEqual({ round: 3, leaf: "b" });
  });

  it("is valued again when its first valuation was lost", () => {
    const plan = andAfter(tried(after(goal()), 1, { a: 0.5 }), joinAbandoned(1));
    expect(kindsOf(plan)).toEqual(["join"]);
    expect(searchOf(andAfter(plan, nodesValued(2, { a: 0.5 })))?.nodes[0]?.visits).toBe(1);
  });

  it("is the last one if its actions cannot be valued", () => {
    const plan = round(after(goal()), 1, { a: 0.8 });
    const ended = andAfter(tried(plan, 2, { b: 0.1 }), nodesValued(2, {}));
    expect(searchOf(ended)).toMatchObject({ phase: "answering", bestPath: ["a", "b"] });
    expect(kindsOf(ended)).toEqual(["join"]);
  });
});

describe("a search that ends", () => {
  it("after its last round, with the best path that it knows (SEARCH-1)", () => {
    const plan = round(after(goal({ ...SETTINGS, iterations: 1 })), 1, { a: 0.2, b: 0.6 });
    expect(searchOf(plan)).toMatchObject({ phase: "answering", bestPath: ["b"] });
    expect(kindsOf(plan)).toEqual(["join"]);
  });

  it("when every path is as long as allowed (SEARCH-1)", () => {
    const plan = round(after(goal({ ...SETTINGS, depth: 1 })), 1, { a: 0.2, b: 0.6 });
    expect(searchOf(plan)).toMatchObject({ phase: "answering", bestPath: ["b"] });
  });

  it("when no more actions can be proposed, and keeps what it found", () => {
    const plan = round(after(goal()), 1, { a: 0.2 });
    const ended = andAfter(plan, draftStarted(2, "tree-search"), abandoned(2, { retryable: false }));
    expect(searchOf(ended)?.bestPath).toEqual(["a"]);
    expect(kindsOf(ended)).toEqual(["join"]);
    const unplanned = andAfter(
      after(goal()),
      draftStarted(1, "tree-search"),
      abandoned(1, { retryable: false }),
    );
    expect(unplanned.conclusion).toMatchObject({ outcome: "failed" });
  });
});

describe("a path that does not answer the goal after all", () => {
  const solved = round(after(goal()), 1, { a: 1, b: 0.6 });

  it("is abandoned, and the search continues elsewhere", () => {
    const plan = andAfter(solved, revisionRequested(solved.joining.number));
    expect(searchOf(plan)?.nodes[0]).toMatchObject({ id: "a", status: "refuted", reason: "more is needed" });
    expect(searchOf(plan)?.rounds.at(-1)).toEqual({ round: 2, leaf: "b" });
    expect(kindsOf(plan)).toEqual(["draft"]);
    expect(plan.revision, "a round is no revision").toBe(0);
  });

  it("makes the plan partial when no round is left, and its answer is kept", () => {
    const last = round(after(goal({ ...SETTINGS, iterations: 1 })), 1, { a: 1 });
    const plan = andAfter(last, revisionRequested(last.joining.number, { sources: ["a"] }));
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      answer: { text: "so far", status: "partial" },
    });
    expect(plan.conclusion?.reason).toContain("no round of the search is left: more is needed");
  });
});
