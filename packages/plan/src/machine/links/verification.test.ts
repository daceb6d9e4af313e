// Steps that verify others: "text" is written, "check" verifies it, "end" needs it.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  cancelRequested,
  draftStarted,
  failed,
  kindsOf,
  planned,
  recorded,
  revised,
  reviewed,
  sealed,
  step,
  stepOf,
  submitted,
  succeeded,
  worksOf,
} from "../../../test/facts.ts";
import { viewOf } from "../../view/plan-view.ts";
import { refusalIn } from "./refusal.ts";

const TEXT = step("text");
const CHECK = step("check", [], { verifies: "text", args: { value: { $ref: "text.output" } } });
const END = step("end", [], { args: { value: "{{text.output}}" } });
const CHECKED = [TEXT, CHECK, END];
const BACKED = [step("text", [], { fallback: "other" }), CHECK, END, step("other")];

const idsOf = (plan: Parameters<typeof worksOf>[0]) => worksOf(plan).map(({ stepId }) => stepId);
const stateOf = (plan: Parameters<typeof stepOf>[0], id: string) => stepOf(plan, id).state;

describe("a step that is verified", () => {
  it("shows its output only to its verifications until they have ended", () => {
    const plan = after(submitted(CHECKED), succeeded("text", "hello"));
    expect(stateOf(plan, "text")).toMatchObject({ status: "reviewing", for: "verification" });
    expect(plan.status).toBe("running");
    expect(worksOf(plan)).toMatchObject([{ stepId: "check", args: { value: "hello" } }]);
    const verified = andAfter(plan, succeeded("check", { ok: true }));
    expect(stateOf(verified, "text")).toMatchObject({ status: "succeeded", output: { value: "hello" } });
    expect(worksOf(verified)).toMatchObject([{ stepId: "end", args: { value: "hello" } }]);
    expect(viewOf(verified, 0).steps[0]).toMatchObject({ verifiedBy: ["check"] });
  });

  it.each([
    ["false", succeeded("check", false), "refused by check"],
    [
      "ok: false",
      succeeded("check", { ok: false, issues: ["too short", "rude"] }),
      "refused by check: too short; rude",
    ],
    ["an error", failed("check"), "check failed: boom"],
  ])(
    "fails when its verification says %s, with the issues and the refused output (VERIFICATION-2)",
    (_name, verdict, message) => {
      const plan = after(submitted(CHECKED, { maxReplans: 0 }), succeeded("text", "hm"), verdict);
      expect(stateOf(plan, "text")).toMatchObject({
        status: "failed",
        error: { code: "verification_failed", message },
        output: { value: "hm" },
      });
      expect(viewOf(plan, 0).steps[0]).toMatchObject({ status: "failed", output: { value: "hm" } });
    },
  );

  it("is replaced by its fallback when it is refused, and no revision is requested", () => {
    const plan = after(submitted(BACKED), succeeded("text"), succeeded("check", { passed: false }));
    expect(idsOf(plan)).toEqual(["other"]);
    expect(plan.drafting.phase).toBe("sealed");
    const delivered = andAfter(plan, succeeded("other", "better"));
    expect(worksOf(delivered)).toMatchObject([{ stepId: "end", args: { value: "better" } }]);
  });

  it("causes a revision when it is refused and has no fallback", () => {
    const plan = after(
      submitted(CHECKED),
      succeeded("text"),
      succeeded("check", { ok: false, reason: "no" }),
    );
    expect(plan.drafting).toMatchObject({
      phase: "requested",
      cause: "verification",
      causedBy: "text",
      reason: "Step text failed: refused by check: no",
    });
    const both = after(submitted(BACKED), succeeded("text"), succeeded("check", false), failed("other"));
    expect(both.drafting).toMatchObject({
      cause: "verification",
      reason: "Step text failed: refused by check; its fallback also failed: Step other failed: boom",
    });
  });

  it("must pass all its verifications (VERIFICATION-1, VERIFICATION-2)", () => {
    const two = [...CHECKED, step("again", [], { verifies: "text" })];
    const plan = after(submitted(two), succeeded("text"));
    expect(idsOf(plan)).toEqual(["check", "again"]);
    const one = andAfter(plan, succeeded("check", true));
    expect(stateOf(one, "text").status).toBe("reviewing");
    expect(stateOf(andAfter(one, succeeded("again", { ok: true })), "text").status).toBe("succeeded");
    expect(stateOf(andAfter(one, succeeded("again", { valid: false })), "text").status).toBe("failed");
    expect(stateOf(andAfter(plan, succeeded("again", false)), "text").status).toBe("failed");
  });

  it("is reviewed before it is verified when it has both", () => {
    const judged = [step("text", [], { review: { maxIterations: 1 } }), CHECK, END];
    const plan = after(submitted(judged), succeeded("text"));
    expect(kindsOf(plan)).toEqual(["review"]);
    expect(idsOf(andAfter(plan, reviewed("text")))).toEqual(["check"]);
  });

  it("is verified as a whole when it runs for each item of a list", () => {
    const list = [step("text", [], { forEach: [1, 2] }), CHECK, END];
    const plan = recorded(after(submitted(list)));
    const items = andAfter(
      plan,
      succeeded("text", "a", 1, { item: 0 }),
      succeeded("text", "b", 1, { item: 1 }),
    );
    expect(worksOf(items)).toMatchObject([{ stepId: "check", args: { value: ["a", "b"] } }]);
    expect(stateOf(andAfter(items, succeeded("check", true)), "text").status).toBe("succeeded");
  });

  it("keeps its output when the plan is cancelled in the meantime", () => {
    const plan = after(submitted(CHECKED), succeeded("text", "kept"), cancelRequested());
    expect(stateOf(plan, "text")).toMatchObject({ status: "succeeded", output: { value: "kept" } });
    expect(stateOf(plan, "check").status).toBe("cancelled");
    expect([plan.done, plan.total]).toEqual([1, 1]);
  });
});

describe("a verification", () => {
  it("counts as a refusal when it could not run", () => {
    const steps = [TEXT, step("rules"), step("check", ["rules"], { verifies: "text" }), END];
    const plan = recorded(after(submitted(steps, { maxReplans: 0 }), failed("rules")));
    expect(stateOf(plan, "check").status).toBe("skipped");
    expect(stateOf(andAfter(plan, succeeded("text")), "text")).toMatchObject({
      status: "failed",
      error: { message: "check could not run: it needs rules, which did not succeed" },
    });
  });

  it("counts as accepted when its condition is false", () => {
    const steps = [step("s"), TEXT, step("check", [], { verifies: "text", when: "s.output > 1" }), END];
    const plan = recorded(after(submitted(steps), succeeded("s", 1), succeeded("text")));
    expect(stateOf(plan, "text").status).toBe("succeeded");
    expect(stateOf(plan, "end").status).toBe("running");
  });

  it("does not run for a step whose fallback runs instead", () => {
    const plan = recorded(after(submitted(BACKED), failed("text")));
    expect(stateOf(plan, "check")).toMatchObject({
      status: "skipped",
      passedOver: true,
      reason: "nothing to verify: text failed",
    });
    expect(stateOf(plan, "other").status).toBe("running");
  });

  it("is lost together with the step when the step has no fallback", () => {
    const plan = recorded(after(submitted(CHECKED), failed("text")));
    expect(stateOf(plan, "check")).toMatchObject({ status: "skipped", because: "text" });
    expect(stateOf(plan, "end")).toMatchObject({ status: "skipped", because: "text" });
  });

  it("holds its own dependents until the step that it verifies has been accepted or replaced", () => {
    const steps = [...BACKED.slice(0, 2), step("ship", ["check"]), step("other")];
    expect(stepOf(after(submitted(steps)), "ship").dependencies).toEqual(["check", "text"]);
    for (const verdict of [succeeded("check", false), failed("check")]) {
      const plan = after(submitted(steps), succeeded("text"), verdict);
      expect(stateOf(plan, "ship").status).toBe("waiting");
      expect(stateOf(andAfter(plan, succeeded("other")), "ship").status).toBe("running");
      expect(stateOf(recorded(andAfter(plan, failed("other"))), "ship").status).not.toBe("running");
    }
  });

  it("can tell the fallback why the step was refused", () => {
    const steps = [TEXT, CHECK, END, step("other", [], { args: { value: "{{check.output.issues[0]}}" } })];
    const plan = after(
      submitted([step("text", [], { fallback: "other" }), ...steps.slice(1)]),
      succeeded("text"),
      succeeded("check", { ok: false, issues: ["too long"] }),
    );
    expect(worksOf(plan)).toMatchObject([{ stepId: "other", args: { value: "too long" } }]);
  });

  it("fails itself when the step had been accepted before the verification was planned (VERIFICATION-3)", () => {
    const early = after(submitted(), draftStarted(), planned(TEXT), succeeded("text"));
    expect(stateOf(early, "text").status).toBe("succeeded");
    const plan = andAfter(early, planned(CHECK, { index: 1 }), sealed(), succeeded("check", false));
    expect(stateOf(plan, "check")).toMatchObject({
      status: "failed",
      error: { code: "verification_failed" },
    });
    expect(plan.drafting).toMatchObject({ phase: "requested", cause: "verification", causedBy: "check" });
  });

  it("leaves the step unchanged when a revision drops it", () => {
    const plan = after(submitted(CHECKED, { replanOnFailure: true }), succeeded("text"), failed("check"));
    expect(plan.drafting.phase).toBe("requested");
    const steps = [...CHECKED, step("bad")];
    const dropped = andAfter(
      after(submitted(steps, { replanOnFailure: true }), succeeded("text"), failed("bad"), draftStarted(1)),
      revised(1, { kept: ["text", "end"], dropped: ["check"] }),
    );
    expect(stateOf(dropped, "check").status).toBe("cancelled");
    expect(stateOf(dropped, "text").status).toBe("succeeded");
  });
});

describe("the output of a verification", () => {
  it.each([
    [{ value: true }],
    [{ value: null }],
    [{ value: "false is the word, but no verdict" }],
    [{ value: { ok: true, passed: true } }],
    [{ value: { ok: "false" } }],
    [{ value: { text: '{"ok": true}' } }],
    [{ value: "x".repeat(70_000) }],
  ])("is no refusal: %j", (output) => {
    expect(refusalIn(output)).toBeUndefined();
  });

  it.each([
    [{ value: false }, []],
    [{ value: { ok: true, passed: false, issues: ["a", 1, ""] } }, ["a"]],
    [{ value: { valid: false, message: "no" } }, ["no"]],
    [{ value: { value: false } }, []],
    [{ value: { text: '```json\n{"approved": false, "reason": "rude"}\n```' } }, ["rude"]],
    [{ value: "false" }, []],
    [
      { artifact: { name: "log.txt", contentType: "text/plain", bytes: 9 }, preview: "…" },
      ["its verdict is kept as the file log.txt, too large to be read"],
    ],
  ])("is a refusal: %j", (output, issues) => {
    expect(refusalIn(output)).toEqual(issues);
  });
});

describe("a verified step of a draft that is still open", () => {
  const planning = [
    submitted(),
    draftStarted(),
    planned(BACKED[0] ?? {}),
    planned(CHECK, { index: 1 }),
  ] as const;
  const checked = after(...planning, succeeded("text", "hello"), succeeded("check", { ok: true }));

  it("waits for the draft once it is verified, because another verification might still be planned", () => {
    expect(stateOf(after(...planning, succeeded("text", "hello")), "text")).toMatchObject({
      for: "verification",
    });
    expect(stateOf(checked, "text")).toMatchObject({ status: "reviewing", for: "draft" });
    expect(checked.held).toContain("text");
    const whole = andAfter(checked, planned(step("other"), { index: 2 }), sealed(1, { steps: 3 }));
    expect(stateOf(whole, "text")).toMatchObject({ status: "succeeded", output: { value: "hello" } });
  });

  it("is shown to a verification that is planned late, and can be refused by it", () => {
    const late = planned({ ...CHECK, id: "later" }, { index: 2 });
    const shown = andAfter(checked, late);
    expect(idsOf(shown)).toEqual(["later"]);
    const refused = andAfter(shown, succeeded("later", false));
    expect(stateOf(refused, "text")).toMatchObject({
      status: "failed",
      error: { message: "refused by later" },
    });
  });
});
