import { describe, expect, it } from "vitest";
import {
  after,
  approvalDecided,
  approvalRequested,
  andAfter,
  draftStarted,
  fact,
  planned,
  READ,
  revised,
  revisionRequested,
  sealed,
  step,
  submitted,
  succeeded,
  failed,
  skipped,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import { viewOf } from "./plan-view.ts";
import { RevisionView } from "./revision-view.ts";
import { planEdits, revisionDiff, whoAsked } from "./revision-diff.ts";

const told = { description: "Write it down" };

/** "a" is done; "b" failed, so that "c", "d" and "e" were skipped; a revision replaces them. */
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

describe("the changes of a revision", () => {
  it("are the added, dropped and kept steps, and the changed fields of a step", () => {
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

describe("a reviewer's edits to a plan", () => {
  const steps = [step("a", [], { args: { value: 1 } }), step("b", ["a"]), step("c")];
  const edits = (more: readonly object[]) => ({
    edits: { steps: [step("a", [], { args: { value: 2 } }), ...more] },
  });
  const approval = { plan: true };
  const askedOf = (plan: ReturnType<typeof after>) => {
    const [command] = decide(plan, [{ kind: "plan-approval" }]);
    if (command?.kind !== "record") throw new Error("nothing is asked");
    return fact(command.event.type, command.event.data);
  };

  it.each([
    ["as it was submitted", [submitted(steps, { approval })], "plan-0"],
    [
      "as it was drafted",
      [
        submitted(undefined, { approval }),
        draftStarted(1),
        ...steps.map((one, index) => planned(one, { index })),
        sealed(1),
      ],
      "plan-1",
    ],
  ])("are shown as differences to the plan %s", (_name, events, approvalId) => {
    const asked = askedOf(after(...events));
    const decided = approvalDecided(approvalId, "approve", {
      ...edits([step("b", ["a"]), step("new")]),
      grants: { "flow.echo": READ },
      reason: "better so",
    });
    const all = [...events, asked, decided];
    const [edit, ...others] = planEdits(viewOf(after(...all), 0), all);
    expect(others).toEqual([]);
    expect(edit).toMatchObject({ approvalId, by: "ann", reason: "better so" });
    const { added, removed, changed, kept } = edit?.diff ?? {};
    expect([added, removed, kept].map((list) => list?.map(({ id }) => id))).toEqual([["new"], ["c"], ["b"]]);
    expect(changed?.map(({ after: now, fields }) => [now.id, fields])).toEqual([
      ["a", [{ field: "args", before: { value: 1 }, after: { value: 2 } }]],
    ]);
  });

  it("are empty if the plan was approved unchanged, or rejected", () => {
    const plan = after(submitted(steps, { approval }));
    const all = [submitted(steps, { approval }), askedOf(plan), approvalDecided("plan-0", "approve")];
    expect(planEdits(viewOf(after(...all), 0), all)).toEqual([]);
  });

  it("are empty if they contain no list of steps", () => {
    const edited = { kind: "plan", decision: "approve", approvalId: "plan-9" };
    const view = viewOf(after(submitted(steps)), 0);
    const odd = [undefined, [1, null, [], { id: 3 }]].map((list) => ({ ...edited, edits: { steps: list } }));
    // Values that a gateway of another version might send.
    const approvals = odd as unknown as typeof view.approvals;
    expect(planEdits({ ...view, approvals }, []).map(({ by, diff }) => [by, diff.added])).toEqual([
      ["", []],
      ["", []],
    ]);
  });
});

describe("the requester of a revision", () => {
  it.each([
    ["results", { kind: "joiner" }],
    ["wave", { kind: "plan" }],
    ["review", { kind: "critic" }],
    ["expectation", { kind: "judge", stepId: "a" }],
    ["failure", { kind: "step", stepId: "a" }],
    ["verification", { kind: "step", stepId: "a" }],
    ["requires_replan", { kind: "step", stepId: "a" }],
    ["rejection", { kind: "person", stepId: "a" }],
  ])("is, for the cause %s, %j", (cause, asker) => {
    const view = viewOf(after(submitted([step("a")])), 0);
    const causedBy = view.steps[0]?.id;
    const about = causedBy === undefined || !("stepId" in asker) ? {} : { causedBy };
    expect(whoAsked(view, { cause: RevisionView.shape.cause.parse(cause), ...about })).toEqual(asker);
  });

  it("is the reviewer who removed the step", () => {
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
