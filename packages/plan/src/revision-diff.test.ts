import { describe, expect, it } from "vitest";
import {
  after,
  approvalDecided,
  approvalRequested,
  andAfter,
  draftStarted,
  planned,
  revised,
  revisionRequested,
  step,
  submitted,
  succeeded,
  failed,
  skipped,
} from "../test/facts.ts";
import { viewOf } from "./plan-view.ts";
import { RevisionCause } from "./events/revision-cause.ts";
import { revisionDiff, whoAsked } from "./revision-diff.ts";

const told = { description: "Write it down" };

/** "a" is done; "b" failed, so that "c", "d" and "e" were skipped; a revision comes instead of them. */
function revisedPlan() {
  const before = [
    step("a"),
    step("b", ["a"], { args: { value: 1 }, timeoutMs: 5 }),
    step("c", ["b"], told),
    step("d", ["b"]),
    step("e", ["b"], { description: "" }),
  ];
  return after(
    submitted(before),
    succeeded("a"),
    failed("b"),
    skipped(["c", "d", "e"], "b"),
    revisionRequested(1),
    draftStarted(1),
    planned(step("b-d1", ["a"], { args: { value: 2 } }), { draft: 1 }),
    planned(step("down", ["b-d1"], { ...told, model: "m" }), { draft: 1, index: 1 }),
    planned(step("new", ["a"], { description: "" }), { draft: 1, index: 2 }),
    revised(1, { kept: ["a"], dropped: ["b", "c", "d", "e"], added: ["b-d1", "down", "new", "gone"] }),
  );
}

describe("what a revision changed", () => {
  it("is what was added, what was dropped, what stayed, and what of a step is different", () => {
    const view = viewOf(revisedPlan(), 0);
    const [revision] = view.revisions;
    if (revision === undefined) throw new Error("wanted a revision");
    const { added, removed, kept, changed } = revisionDiff(view, revision);
    const idsOf = (steps: readonly { id: string }[]) => steps.map(({ id }) => id);
    expect([idsOf(added), idsOf(removed), idsOf(kept)]).toEqual([["new"], ["d", "e"], ["a"]]);
    expect(changed.map(({ before, after: now, fields }) => [before.id, now.id, fields])).toEqual([
      [
        "b",
        "b-d1",
        [
          { field: "args", before: { value: 1 }, after: { value: 2 } },
          { field: "timeoutMs", before: 5 },
        ],
      ],
      [
        "c",
        "down",
        [
          { field: "dependsOn", before: ["b"], after: ["b-d1"] },
          { field: "model", after: "m" },
        ],
      ],
    ]);
  });
});

describe("who asked for a revision", () => {
  it.each([
    ["results", { kind: "joiner" }],
    ["wave", { kind: "plan" }],
    ["critique", { kind: "critic" }],
    ["expectation", { kind: "judge", stepId: "a" }],
    ["failure", { kind: "step", stepId: "a" }],
    ["verification", { kind: "step", stepId: "a" }],
    ["requires_replan", { kind: "step", stepId: "a" }],
    ["rejection", { kind: "person", stepId: "a" }],
  ])("for the cause %s is %j", (cause, asker) => {
    const view = viewOf(after(submitted([step("a")])), 0);
    const causedBy = view.steps[0]?.id;
    const about = causedBy === undefined || !("stepId" in asker) ? {} : { causedBy };
    expect(whoAsked(view, { cause: RevisionCause.parse(cause), ...about })).toEqual(asker);
  });

  it("is the person who threw the step out", () => {
    const plan = after(submitted([step("a", [], { tool: "mail.send" })], { approval: { risk: "high" } }));
    const asked = andAfter(plan, approvalRequested(plan, "a"), approvalDecided("risk-a-0", "reject"));
    const view = viewOf(asked, 0);
    const causedBy = view.steps[0]?.id;
    if (causedBy === undefined) throw new Error("wanted a step");
    expect(whoAsked(view, { cause: "rejection", causedBy })).toEqual({
      kind: "person",
      name: "ann",
      stepId: "a",
    });
  });
});
