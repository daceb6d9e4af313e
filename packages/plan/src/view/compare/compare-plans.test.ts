import { expect, it } from "vitest";
import { after, submitted, succeeded, failed } from "../../../test/facts.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import { viewOf } from "../plan-view.ts";
import { comparePlans } from "./compare-plans.ts";
import { diffSequences, diffLines, diffText } from "./diff-text.ts";

const step = (id: string, description: string, more: object = {}) => ({
  id,
  tool: "flow.echo",
  description,
  args: { value: id },
  ...more,
});
const viewAfter = (steps: readonly object[], ...events: PlanEvent[]) =>
  viewOf(after(submitted(steps), ...events), 0);
const summary = (left: readonly object[], right: readonly object[]) =>
  comparePlans(viewAfter(left), viewAfter(right)).steps.map((one) => {
    const sides = ["left" in one ? one.left.id : undefined, "right" in one ? one.right.id : undefined];
    return "changes" in one
      ? [one.kind, ...sides, one.changes.map(({ field }) => field)]
      : [one.kind, ...sides];
  });

it("matches steps by their ids, then by tool and description, and lists differences first", () => {
  const left = [step("a", "look"), step("b", "count"), step("c", "write"), step("x", ""), step("y", "gone")];
  const right = [
    step("a", "look"),
    step("c", "write it"),
    step("z", ""),
    step("b2", "count", { args: { value: "b" } }),
  ];
  expect(summary(left, right)).toEqual([
    ["changed", "b", "b2", ["id"]],
    ["changed", "c", "c", ["description"]],
    ["only-left", "x", undefined],
    ["only-left", "y", undefined],
    ["only-right", undefined, "z"],
    ["same", "a", "a", []],
  ]);
});

it("treats a dependency as the same if it is the same step under another id", () => {
  const left = [step("a", "look"), step("b", "write", { dependsOn: ["a"] })];
  const right = [step("a2", "look", { args: { value: "a" } }), step("b", "write", { dependsOn: ["a2"] })];
  expect(summary(left, right)).toEqual([
    ["changed", "a", "a2", ["id"]],
    ["same", "b", "b", []],
  ]);
  const none = [step("a", "look"), step("b", "write")];
  expect(summary(left, none)[0]).toEqual(["changed", "b", "b", ["dependsOn", "status"]]);
});

it("treats a dependency as different if its id belongs to another step of the other plan", () => {
  const left = [step("d", "write", { dependsOn: ["e", "b"] }), step("b", "look")];
  const right = [step("d", "write", { dependsOn: ["b", "e"] }), step("a", "look")];
  const d = ["changed", "d", "d", ["dependsOn"]];
  expect(summary(left, right)).toContainEqual(d);
  expect(summary(right, left)).toContainEqual(d);
});

it("compares status, error, attempts and output of a step, and never its times", () => {
  const steps = [step("a", "look")];
  const done = viewAfter(steps, succeeded("a", { x: 1, y: 2 }));
  const slower = viewAfter(steps, succeeded("a", { y: 2, x: 1 }, 1, { durationMs: 99 }));
  expect(comparePlans(done, slower).steps[0]).toMatchObject({ kind: "same", output: "equal" });
  const other = viewAfter(steps, succeeded("a", { x: 2 }));
  expect(comparePlans(done, other).steps[0]).toMatchObject({
    kind: "changed",
    output: "different",
    changes: [],
  });
  const broken = comparePlans(done, viewAfter(steps, failed("a")));
  expect(broken.steps[0]).toMatchObject({ kind: "changed", output: "one" });
  expect(broken.steps[0]).toMatchObject({
    changes: [{ field: "status" }, { field: "error", left: undefined }],
  });
  const again = { ...done, steps: done.steps.map((one) => ({ ...one, attempt: 2 })) };
  expect(comparePlans(done, again).steps[0]).toMatchObject({
    changes: [{ field: "attempts", left: 1, right: 2 }],
  });
  const waiting = comparePlans(done, viewAfter(steps));
  expect(waiting.figures.find(({ name }) => name === "Makespan")?.right).toBeNull();
  expect(waiting.steps[0]).toMatchObject({
    changes: [{ field: "status", left: "succeeded", right: "queued" }],
  });
});

it("treats results stored as files as alike if type, size and beginning are equal", () => {
  const view = (bytes: number, name: string) => {
    const [one] = viewAfter([step("a", "look")]).steps;
    const output = { artifact: { name, contentType: "text/plain", bytes }, preview: "abc" };
    return { ...viewAfter([step("a", "look")]), steps: one === undefined ? [] : [{ ...one, output }] };
  };
  expect(comparePlans(view(9, "p1"), view(9, "p2")).steps[0]).toMatchObject({
    kind: "same",
    output: "alike",
  });
  expect(comparePlans(view(9, "p1"), view(8, "p1")).steps[0]).toMatchObject({ output: "different" });
});

it("detects which of the two was forked from the other, and counts no attempts of carried-over steps", () => {
  const origin = viewAfter([step("a", "look")], succeeded("a"));
  const [a] = origin.steps;
  const fork = { planId: origin.planId, fromStep: "a", seq: 4 } as NonNullable<typeof origin.fork>;
  const forked = {
    ...origin,
    planId: "p2" as typeof origin.planId,
    fork,
    steps: a === undefined ? [] : [{ ...a, carried: true as const, attempt: 0 }],
  };
  expect(comparePlans(origin, forked)).toMatchObject({
    fork: { side: "right", fromStep: "a" },
    counts: { same: 1 },
  });
  expect(comparePlans(forked, origin).fork?.side).toBe("left");
  expect(comparePlans(origin, origin).fork).toBeUndefined();
});

it("compares goals, metrics and answers", () => {
  const base = viewAfter([step("a", "look")], succeeded("a"));
  const answer = {
    text: "It is 3 pairs.",
    status: "success" as const,
    data: { n: 3 },
    sources: [],
    artifacts: [],
  };
  const left = { ...base, answer, endedAt: "2026-01-01T00:01:00Z", usage: { ...base.usage, costUsd: null } };
  const right = { ...base, goal: "other", answer: { ...answer, text: "It is 4 pairs.", data: { n: 4 } } };
  const compared = comparePlans(left, right);
  expect(compared.changes).toEqual([{ field: "goal", left: "add up", right: "other" }]);
  expect(compared.answer).toMatchObject({ isSame: false, data: "different", status: { left: "success" } });
  expect(compared.answer.text).toEqual([
    { side: "both", text: "It is " },
    { side: "left", text: "3" },
    { side: "right", text: "4" },
    { side: "both", text: " pairs." },
  ]);
  const figure = (name: string) => compared.figures.find((one) => one.name === name);
  expect(figure("Time to completion")).toMatchObject({ left: 60_000, right: null, unit: "ms" });
  expect(figure("Cost")).toMatchObject({ left: null, right: base.usage.costUsd });
  expect(figure("Steps succeeded")).toMatchObject({ left: 1, right: 1 });
  const { answer: _none, ...open } = right;
  expect(comparePlans(left, open).answer).toMatchObject({
    isSame: false,
    data: "one",
    status: { left: "success" },
  });
});

it("shows texts with few common words one after the other", () => {
  expect(diffText("one is red", "two are blue or is so")).toEqual([
    { side: "left", text: "one is red" },
    { side: "right", text: "two are blue or is so" },
  ]);
  expect(diffText("", "two are")).toEqual([{ side: "right", text: "two are" }]);
});

it("compares long texts by lines, and texts with too many lines as a whole", () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}\n`);
  const changed = lines.with(1_000, "another\n");
  expect(diffText(lines.join(""), changed.join("")).map(({ side }) => side)).toEqual([
    "both",
    "left",
    "right",
    "both",
  ]);
  const many = Array.from({ length: 2_100 }, (_, index) => `l${index}`);
  const reversed = many.toReversed();
  expect(diffSequences(many, reversed).map(({ side }) => side)).toEqual(["left", "right"]);
  expect(diffSequences([...many, "end"], ["start", ...reversed, "end"]).map(({ side }) => side)).toEqual([
    "left",
    "right",
    "both",
  ]);
  expect(diffSequences(["start"], ["start", ...many])).toEqual([
    { side: "both", items: ["start"] },
    { side: "right", items: many },
  ]);
  expect(diffLines("a\nb\r\nc", "a\nc")).toEqual([
    { side: "both", items: ["a"] },
    { side: "left", items: ["b"] },
    { side: "both", items: ["c"] },
  ]);
  expect(diffLines("", "a")).toEqual([{ side: "right", items: ["a"] }]);
});

it("shows removed text before added text, however they alternate", () => {
  const told = (left: string, right: string) =>
    diffSequences(left.split(""), right.split("")).map(({ side, items }) => `${side} ${items.join("")}`);
  expect(told("abc", "xby")).toEqual(["left a", "right x", "both b", "left c", "right y"]);
  expect(told("bca", "xbyaz")).toEqual(["right x", "both b", "left c", "right y", "both a", "right z"]);
  expect(told("acb", "cxyb")).toEqual(["left a", "both c", "right xy", "both b"]);
  expect(told("pabq", "xaybz")).toEqual([
    "left p",
    "right x",
    "both a",
    "right y",
    "both b",
    "left q",
    "right z",
  ]);
});
