import { describe, expect, it } from "vitest";
import type { PlanView } from "./plan-view.ts";
import { stepInputs } from "./step-inputs.ts";

/** Only the fields that the function reads. */
const viewOf = (steps: readonly object[], approvals: readonly object[] = []) =>
  ({ steps, approvals }) as unknown as PlanView;
const SEND = { id: "send", args: { to: { $ref: "who.output.mail" }, text: "hi" } };
const approved = (more: object) => ({
  approvalId: "risk-send-0",
  kind: "tool-risk",
  stepId: "send",
  decision: "approve",
  decidedBy: "ann",
  args: { to: "a@x", text: "hi" },
  ...more,
});
const inputsOf = (approvals: readonly object[], item?: { item: number; value?: string }) => {
  const view = viewOf([{ id: "who", output: { value: { mail: "a@x" } } }, SEND], approvals);
  return stepInputs(view, SEND as unknown as PlanView["steps"][number], item);
};
const ORIGINS = [{ text: "who.output.mail", stepId: "who", value: "a@x" }];

describe("the inputs of a step", () => {
  it("are the planned arguments, with the values of their references", () => {
    expect(inputsOf([])).toEqual([
      { name: "to", planned: SEND.args.to, value: "a@x", origins: ORIGINS },
      { name: "text", planned: "hi", value: "hi", origins: [] },
    ]);
  });

  it("are a reviewer's edited arguments, each marked as edited", () => {
    const edits = { to: "b@x", cc: "c@x" };
    expect(inputsOf([approved({ edits })])).toEqual([
      { name: "to", planned: SEND.args.to, value: "b@x", origins: ORIGINS, editedBy: "ann" },
      { name: "text", planned: "hi", origins: [], editedBy: "ann" },
      { name: "cc", value: "c@x", origins: [], editedBy: "ann" },
    ]);
  });

  it.each([
    ["of another item", { item: 3 }],
    ["of a call of its loop", { approvalId: "call-send-0-1-1" }],
    ["of what undoes it", { undo: true }],
    ["that was a refusal", { decision: "reject" }],
  ])("exclude a reviewer's decision %s", (_name, about) => {
    expect(inputsOf([approved({ edits: { to: "b@x" }, ...about })])[0]).toMatchObject({ value: "a@x" });
  });

  it("include the output of a fallback, and null for a skipped step", () => {
    const steps = [
      { id: "first", replacedBy: "second" },
      { id: "second", output: { value: 2 } },
      { id: "skipped", notNeeded: true },
    ];
    const args = { a: { $ref: "first.output" }, b: { $ref: "skipped.output" } };
    const step = { id: "end", args } as unknown as PlanView["steps"][number];
    expect(stepInputs(viewOf(steps), step).map(({ value }) => value)).toEqual([2, null]);
  });
});
