// Revisions that are requested while a plan runs: which steps continue, which are held or dropped, and how the plan ends.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  draftStarted,
  failed,
  fact,
  kindsOf,
  planned,
  revised,
  sealed,
  skipped,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  worksOf,
} from "../../../test/facts.ts";
import { LIMITS } from "../../values/limits.ts";
import { viewOf } from "../../view/plan-view.ts";

/** One branch fails while another runs; the third waits for it. */
const failing = (more: object = {}) => [
  submitted([step("one"), step("two"), step("long"), step("after", ["long"])], {
    replanOnFailure: true,
    ...more,
  }),
  succeeded("one"),
  started("long"),
  failed("two"),
];
const opened = (seen?: number) =>
  fact("draft.started", { draft: 1, strategy: "parallel", strategyReason: "r", workerId: "w1", seen });

describe("a plan that is revised when a step fails", () => {
  it("requests the revision immediately, with its cause", () => {
    const plan = after(...failing());
    expect(kindsOf(plan)).toContain("draft");
    const because = { cause: "failure", causedBy: "two", reason: "Step two failed: boom" };
    expect(plan.drafting).toMatchObject({ phase: "requested", revision: 1, ...because });
    expect(stepOf(plan, "long").state.status).toBe("running");
  });

  it("starts no step of the old plan until the revision arrives, and then only those that it keeps", () => {
    const plan = after(...failing(), draftStarted(1), succeeded("long"));
    expect(stepOf(plan, "after").state).toMatchObject({ status: "waiting", for: "draft" });
    const kept = andAfter(plan, planned(step("other")), revised(1, { dropped: ["two"], added: ["other"] }));
    expect(worksOf(kept).map(({ stepId }) => stepId)).toContain("after");
  });

  it("cancels the steps that the revision drops, even running ones, and shows the difference", () => {
    const plan = after(
      ...failing(),
      draftStarted(1),
      planned(step("other")),
      revised(1, { kept: ["one"], dropped: ["two", "long", "after"], added: ["other"] }),
    );
    expect(stepOf(plan, "long").state).toMatchObject({
      status: "cancelled",
      reason: "dropped by revision 1",
    });
    expect(kindsOf(plan)).toContain("stop");
    expect(stepOf(plan, "one").state.status).toBe("succeeded");
    expect(viewOf(plan, 0).revisions).toMatchObject([
      {
        revision: 1,
        cause: "failure",
        causedBy: "two",
        kept: ["one"],
        dropped: ["two", "long", "after"],
        added: ["other"],
      },
    ]);
  });

  it("keeps steps that have ended in the meantime, whatever the revision says about them", () => {
    const plan = after(
      ...failing(),
      draftStarted(1),
      succeeded("long"),
      revised(1, { kept: ["one"], dropped: ["two", "long", "after"] }),
    );
    expect(stepOf(plan, "long").state.status).toBe("succeeded");
    expect(viewOf(plan, 0).revisions).toMatchObject([{ kept: ["one", "long"], dropped: ["two", "after"] }]);
  });

  it("is revised again for causes that its planner had not seen (REVISION-2)", () => {
    const plan = after(...failing());
    const later = andAfter(
      plan,
      opened(plan.seq),
      failed("long"),
      planned(step("x")),
      revised(1, { added: ["x"] }),
    );
    expect(later.drafting).toMatchObject({ phase: "requested", number: 2, revision: 2, causedBy: "long" });
    const seen = andAfter(plan, failed("long"));
    expect(andAfter(seen, opened(seen.seq), revised(1)).drafting.phase).toBe("sealed");
  });

  it("drops the revision requests that an abandoned draft caused", () => {
    const plan = after(...failing(), opened(), planned(step("early")), failed("early"), abandoned(1));
    expect(plan.revisionsWanted).toEqual([]);
    expect(plan.drafting).toMatchObject({ phase: "requested", number: 2, revision: 1 });
  });

  it("partially succeeds once no revision is left: running steps end, and no other step starts (REVISION-1)", () => {
    const plan = after(...failing({ maxReplans: 0 }));
    expect(stepOf(plan, "after").state).toMatchObject({ status: "cancelled", reason: "no revision is left" });
    expect(plan.conclusion).toBeUndefined();
    expect(andAfter(plan, succeeded("long", "far")).conclusion).toMatchObject({
      outcome: "partial",
      reason: "max replans exceeded (0): Step two failed: boom",
      answer: { status: "partial", sources: ["one", "long"] },
    });
  });

  it("stops the running steps when its revision cannot be planned", () => {
    const plan = after(
      ...failing(),
      draftStarted(1),
      abandoned(1, { retryable: false, message: "no model" }),
    );
    expect(stepOf(plan, "long").state.status).toBe("cancelled");
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      answer: { status: "partial", sources: ["one"] },
    });
  });
});

describe("an event that requests a revision", () => {
  const REPLAN = { replan: { reason: "all is different" } };

  it("starts no dependent of the step, requests no approval for it, and lets no worker continue with it", () => {
    const pay = step("pay", ["look"], { tool: "mail.send" });
    const plan = after(
      submitted([step("look"), step("next", ["look"]), pay]),
      succeeded("look", 1, 1, { ...REPLAN, next: "next" }),
    );
    expect(kindsOf(plan)).toEqual(["draft"]);
    expect(stepOf(plan, "next").state).toMatchObject({ status: "waiting", for: "draft" });
    expect(stepOf(plan, "pay").state).toMatchObject({ status: "waiting", for: "draft" });
  });

  it("starts nothing that waited for capacity", () => {
    const wide = Array.from({ length: LIMITS.inFlightMax + 2 }, (_, index) => step(`s${index}`));
    const replanned = after(submitted(wide), succeeded("s0", 1, 1, REPLAN));
    const lost = after(submitted(wide, { replanOnFailure: true }), failed("s0"));
    for (const plan of [replanned, lost]) {
      expect(kindsOf(plan)).toEqual(["draft"]);
      expect(stepOf(plan, `s${LIMITS.inFlightMax}`).state).toMatchObject({ for: "draft" });
    }
  });

  it("starts no item of a step whose list is recorded afterwards, unless the revision keeps the step", () => {
    const each = step("each", [], { forEach: [1, 2], args: { item: { $ref: "item" } } });
    const expanded = fact("step.expanded", { stepId: "each", items: 2 });
    const plan = after(submitted([step("look"), each]), succeeded("look", 1, 1, REPLAN), expanded);
    expect(kindsOf(plan)).toEqual([]);
    const kept = andAfter(plan, draftStarted(1), revised(1, { kept: ["look", "each"] }));
    expect(worksOf(kept).map(({ stepId, item }) => [stepId, item])).toEqual([
      ["each", 0],
      ["each", 1],
    ]);
  });

  it("starts nothing of a draft that is still being written", () => {
    const plan = after(
      submitted(),
      draftStarted(1),
      planned(step("look")),
      planned(step("next", ["look"])),
      succeeded("look", 1, 1, REPLAN),
      planned(step("more")),
    );
    expect(kindsOf(plan)).toEqual([]);
    expect(stepOf(plan, "next").state).toMatchObject({ status: "waiting", for: "draft" });
    expect(kindsOf(andAfter(plan, sealed()))).toEqual(["draft"]);
  });

  it("starts the items of a step that two revisions in a row have held back", () => {
    const each = step("each", [], { forEach: [1, 2], args: { item: { $ref: "item" } } });
    const expanded = fact("step.expanded", { stepId: "each", items: 2 });
    const goal = submitted([step("look"), step("again"), each]);
    const held = after(goal, succeeded("look", 1, 1, REPLAN), expanded, draftStarted(1));
    const twice = andAfter(held, succeeded("again", 1, 1, REPLAN), revised(1));
    expect(twice.drafting).toMatchObject({ revision: 2, phase: "requested" });
    expect(stepOf(twice, "each").state).toMatchObject({ status: "repeating", begun: 0 });
    const free = andAfter(twice, draftStarted(2), revised(2, { added: ["x"] }));
    expect(stepOf(free, "each").state).toMatchObject({ status: "repeating", begun: 2, open: 2 });
  });

  it("starts nothing that waited for its share of a budget", () => {
    const wide = Array.from({ length: LIMITS.inFlightMax + 1 }, (_, index) => step(`s${index}`));
    const plan = after(submitted(wide, { budget: { maxSteps: 2_000 } }), succeeded("s0", 1, 1, REPLAN));
    expect(worksOf(plan)).toEqual([]);
    expect(stepOf(plan, `s${LIMITS.inFlightMax}`).state).toMatchObject({ status: "waiting", for: "draft" });
  });
});

describe("a revision that repeats an earlier one", () => {
  const again = (number: number, value: unknown) => [
    draftStarted(number),
    planned(step(`try-${number}`, [], { args: { value } }), { draft: number }),
    revised(number, { added: [`try-${number}`] }),
    failed(`try-${number}`),
  ];
  const first = [submitted([step("a")], { replanOnFailure: true }), failed("a"), skipped(["none"], "a")];

  it("ends the plan, whatever its steps are called (REVISION-3)", () => {
    expect(after(...first, ...again(1, "x"), ...again(2, "x")).conclusion).toMatchObject({
      outcome: "failed",
      reason: "revision 2 is the same as revision 1: Step try-1 failed: boom",
    });
  });

  it("does not count as a repetition when it does something else", () => {
    const plan = after(...first, ...again(1, "x"), ...again(2, "y"));
    expect(plan.drafting).toMatchObject({ revision: 3, phase: "requested" });
  });
});
