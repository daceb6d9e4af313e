// How a loop continues, given its calls in the plan's log.
import type { CallLeave, CallRecord, StepEntry } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import { pendingCall } from "./pending-call.ts";

const asked = { turn: 1, thought: "t", tool: "mail.send", args: { to: "bob" } };
const call = { ...asked, risk: "high" } as const;
const leave: CallLeave = { call, approvalId: "call-a-0-1-1", times: 1 };
const doubted = { ...leave, call: { ...call, doubt: "its worker died" } };
const begun: CallRecord = { ...asked, attempt: 1, effect: "once", status: "unknown", at: "", by: "w" };

/** Only the relevant fields of a run. */
const pending = (run: Pick<StepEntry, "leave" | "calls" | "turns">) => pendingCall(run as StepEntry);

describe("a call that a user has decided", () => {
  it("is made with the approved arguments, or reported as rejected", () => {
    const args = { to: "eve" };
    const changed = { ...asked, args, proposed: asked.args };
    expect(pending({ leave: { ...leave, args } })).toEqual({ kind: "allowed", asked: changed });
    expect(pending({ leave: { ...leave, args: asked.args } })).toEqual({ kind: "allowed", asked });
    const twice = { ...leave, call: { ...leave.call, args, proposed: asked.args }, args };
    expect(pending({ leave: twice })).toEqual({ kind: "allowed", asked: changed });
    const error = { code: "approval_rejected", message: "rejected by ann" };
    const refused = { kind: "told", turn: { ...asked, error } };
    expect(pending({ leave: { ...leave, rejected: "rejected by ann" } })).toEqual(refused);
  });

  it("is not made twice under the same approval", () => {
    const again = { ...doubted, args: asked.args };
    const allowed = { kind: "allowed", asked, leave: leave.approvalId };
    expect(pending({ leave: again, calls: [begun] })).toEqual(allowed);
    expect(pending({ leave: again, calls: [{ ...begun, leave: "call-a-0-1-0" }] })).toEqual(allowed);
    const record = { ...begun, leave: leave.approvalId };
    expect(pending({ leave: again, calls: [record] })).toEqual({ kind: "begun", call: record });
  });

  it("has the decided outcome, or is not repeated, if its outcome was unknown", () => {
    const done = { kind: "told", turn: { ...asked, output: { value: 7 } } };
    expect(pending({ leave: { ...doubted, output: 7 }, calls: [begun] })).toEqual(done);
    const message =
      "its worker died; rejected by ann: it is unknown whether the call took effect, so it must not be repeated";
    const given = {
      kind: "told",
      turn: { ...asked, error: { code: "outcome_unknown", message }, uncertain: true },
    };
    expect(pending({ leave: { ...doubted, rejected: "rejected by ann" }, calls: [begun] })).toEqual(given);
  });

  it("is not continued when its turn is over", () => {
    const turns = [{ turn: 1, thought: "t", attempt: 1, at: "" }];
    expect(pending({ leave: doubted, calls: [begun], turns })).toBeUndefined();
    expect(pending({ calls: [begun] })).toEqual({ kind: "begun", call: begun });
  });
});
