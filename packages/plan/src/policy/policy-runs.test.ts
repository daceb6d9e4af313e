// Every way in which a tool can run, under a policy that is stricter than the submission.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  approvalRequested,
  cancelRequested,
  decideNext,
  draftStarted,
  expanded,
  fact,
  failed,
  GRANTS,
  LIGHT,
  loopFact,
  planned,
  sealed,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  unitsOf,
  worksOf,
} from "../../test/facts.ts";
import { argumentsHash } from "../values/arguments-hash.ts";
import { decide } from "../decide/decide.ts";
import { PlanEvent } from "../events/plan-event.ts";
import { StepId } from "../values/ids.ts";
import { followUpGoal, lateEffectsOf } from "../decide/late-effects.ts";
import { viewOf } from "../view/plan-view.ts";
import type { KnownPlan } from "../machine/plan-state.ts";

const LAX = { risk: "never", expiresAfterMs: 60_000 };
const ASK_MAIL = { rules: [{ tools: ["mail.*"], requireApproval: true }] };
const NO_MAIL = { rules: [{ tools: ["mail.*"], deny: true }] };
const SMALL_MAIL = {
  rules: [
    { tools: ["mail.send"], when: "amount > 1000", deny: true },
    { tools: ["mail.send"], when: "amount < 100", requireApproval: false },
    { tools: ["mail.send"], requireApproval: true },
  ],
};

const mail = (id: string, dependsOn: string[] = [], more: object = {}) =>
  step(id, dependsOn, { tool: "mail.send", args: { to: "ann" }, ...more });

function under(policy: object, steps: readonly object[], more: object = {}): KnownPlan {
  return after(submitted(steps, { approval: LAX, policy, maxReplans: 0, ...more }));
}

const statusOf = (plan: KnownPlan, stepId: string) => stepOf(plan, stepId).state.status;
const recorded = (plan: KnownPlan): PlanEvent[] =>
  decide(plan).flatMap((command) =>
    command.kind === "record" ? [PlanEvent.parse({ ...command.event, at: "2026-01-01T00:00:00Z" })] : [],
  );
const denied = (plan: KnownPlan): PlanEvent => {
  const found = recorded(plan).find(({ type }) => type === "step.failed");
  if (found === undefined) throw new Error("nothing is denied");
  return found;
};
const DENIAL = {
  error: { code: "denied_by_policy", message: "the installation's policy forbids mail.send" },
};

describe("a step that its submission allows", () => {
  it("waits if the policy requires approval, and the request shows what requires it", () => {
    const plan = under(ASK_MAIL, [mail("a")]);
    expect(statusOf(plan, "a")).toBe("awaiting-approval");
    expect(worksOf(plan)).toEqual([]);
    expect(recorded(plan)).toMatchObject([
      {
        type: "approval.requested",
        data: { approvalId: "risk-a-0", requiredBy: "policy", question: expect.stringContaining("policy") },
      },
    ]);
    const asked = andAfter(plan, approvalRequested(plan, "a"));
    expect(viewOf(asked, 0)).toMatchObject({ policy: ASK_MAIL, approvals: [{ requiredBy: "policy" }] });
  });

  it("waits for the submission's gate alone if the policy has no rule for it, or lifts its own gate (POLICY-2)", () => {
    const lifted = { approval: { risk: "low" }, rules: [{ tools: ["mail.*"], requireApproval: false }] };
    const strict = { approval: { risk: "high", expiresAfterMs: 60_000 } };
    const plan = under(lifted, [mail("a")], strict);
    expect(recorded(plan)).toMatchObject([{ data: { requiredBy: "submission" } }]);
    expect(statusOf(under(lifted, [mail("a")]), "a")).toBe("running");
  });

  it("fails without being sent if the policy denies it", () => {
    const plan = under(NO_MAIL, [mail("a"), step("b")]);
    expect(worksOf(plan).map(({ stepId }) => stepId)).toEqual(["b"]);
    expect(denied(plan)).toMatchObject({ data: { stepId: "a", ...DENIAL } });
    expect(statusOf(andAfter(plan, denied(plan)), "a")).toBe("failed");
  });

  it("is evaluated with its arguments once they are known", () => {
    const steps = [step("a"), mail("b", ["a"], { args: { amount: { $ref: "a.output" } } })];
    const withAmount = (amount: unknown) => andAfter(under(SMALL_MAIL, steps), succeeded("a", amount));
    expect(statusOf(withAmount(5), "b")).toBe("running");
    expect(statusOf(withAmount(500), "b")).toBe("awaiting-approval");
    expect(statusOf(withAmount("5"), "b")).toBe("awaiting-approval");
    expect(denied(withAmount(5_000))).toMatchObject({
      data: { stepId: "b", error: { code: "denied_by_policy" } },
    });
  });

  it("is evaluated again with the arguments that a reviewer edited", () => {
    const plan = under(SMALL_MAIL, [mail("a", [], { args: { amount: 500 } })]);
    const asked = andAfter(plan, approvalRequested(plan, "a"));
    const within = andAfter(asked, approvalDecided("risk-a-0", "approve", { edits: { amount: 600 } }));
    expect(worksOf(within)).toMatchObject([{ args: { amount: 600 } }]);
    const outside = andAfter(asked, approvalDecided("risk-a-0", "approve", { edits: { amount: 6_000 } }));
    expect(worksOf(outside)).toEqual([]);
    expect(denied(outside)).toMatchObject({
      data: { error: { message: expect.stringContaining("these arguments") } },
    });
  });

  it("keeps the policy of its submission after a takeover", () => {
    const events = [submitted([mail("a")], { approval: LAX, policy: ASK_MAIL })];
    const plan = after(...events);
    expect(decide(plan)).toEqual(decideNext(plan));
  });
});

describe("a fallback", () => {
  it.each([
    [ASK_MAIL, "approval.requested"],
    [NO_MAIL, "step.failed"],
  ])("is held by %j", (policy, type) => {
    const plan = andAfter(under(policy, [step("a", [], { fallback: "b" }), mail("b")]), failed("a"));
    expect(worksOf(plan)).toEqual([]);
    expect(recorded(plan)).toMatchObject([{ type, data: { stepId: "b" } }]);
  });
});

describe("a step that runs for each item of a list", () => {
  it("has each item evaluated with its own arguments", () => {
    const each = mail("a", [], { forEach: [5, 500, 5_000], args: { amount: { $ref: "item" } } });
    const plan = andAfter(under(SMALL_MAIL, [each]), expanded("a", 3));
    expect(worksOf(plan).map(({ item }) => item)).toEqual([0]);
    const said = recorded(plan).map(({ type, data }) => [type, "item" in data ? data.item : undefined]);
    expect(said).toEqual([
      ["approval.requested", 1],
      ["step.failed", 2],
    ]);
  });
});

describe("a light step that could share a unit with another", () => {
  const grants = { ...GRANTS, "flow.echo": LIGHT };
  const steps = [
    step("a", [], { args: { value: 1 } }),
    step("b", ["a"], { args: { value: { $ref: "a.output" } } }),
  ];
  it.each([
    [{ rules: [{ tools: ["flow.echo"], when: "value > 5", requireApproval: true }] }, []],
    [{ rules: [{ tools: ["flow.echo"], when: "value > 5", deny: true }] }, []],
    [{ rules: [{ tools: ["mail.*"], deny: true }] }, [["a", "b"]]],
  ])("is sent individually while its arguments decide: %j", (policy, units) => {
    const plan = under(policy, steps, { grants });
    expect(unitsOf(plan).map((work) => work.steps.map(({ stepId }) => stepId))).toEqual(units);
  });
});

describe("a draft by a model", () => {
  it("has its steps evaluated like submitted ones", () => {
    const goal = submitted(undefined, { approval: LAX, policy: ASK_MAIL });
    const plan = after(goal, draftStarted(), planned(mail("a"), { grant: GRANTS["mail.send"] }), sealed());
    expect(statusOf(plan, "a")).toBe("awaiting-approval");
  });

  it("waits as a whole if the policy requires it", () => {
    const plan = under({ approval: { plan: true }, rules: [] }, [step("a")]);
    expect(worksOf(plan)).toEqual([]);
    expect(recorded(plan)).toMatchObject([{ data: { kind: "plan", requiredBy: "policy" } }]);
  });

  it("has low-confidence steps wait if the policy requires it", () => {
    const policy = { approval: { confidenceBelow: 0.5 }, rules: [] };
    const plan = under(policy, [step("a", [], { confidence: 0.2 })]);
    expect(recorded(plan)).toMatchObject([{ data: { kind: "confidence", requiredBy: "policy" } }]);
  });
});

describe("a sub-plan", () => {
  it("is submitted under its parent's policy, and can be denied itself", () => {
    const steps = [{ id: "a", tool: "plan.run", args: { goal: "more" } }];
    const plan = under(ASK_MAIL, steps, { submittedBy: "acme/ann" });
    const [begun] = recorded(plan);
    if (begun?.type !== "step.started") throw new Error("the sub-plan does not begin");
    const [told] = decide(andAfter(plan, begun), [
      { kind: "sub-plan", stepId: StepId.parse("a"), item: 0, attempt: 1 },
    ]);
    expect(told).toMatchObject({
      submission: { data: { policy: ASK_MAIL, submittedBy: "acme/ann", approval: LAX } },
    });
    const forbidden = under({ rules: [{ tools: ["plan.run"], deny: true }] }, steps);
    expect(denied(forbidden)).toMatchObject({ data: { stepId: "a", error: { code: "denied_by_policy" } } });
  });
});

describe("a question to people", () => {
  it("is not asked if the policy denies questions", () => {
    const steps = [{ id: "a", tool: "human.ask", args: { question: "Which?" } }];
    const plan = under({ rules: [{ tools: ["human.ask"], deny: true }] }, steps);
    expect(denied(plan)).toMatchObject({ data: { stepId: "a" } });
  });
});

describe("a call inside a loop", () => {
  it("shows what requires its approval and who may approve", () => {
    const policy = {
      rules: [{ ...ASK_MAIL.rules[0], approvers: ["acme/boss"], submitterMayApprove: false }],
    };
    const loop = { id: "a", tool: "agent.react", args: { goal: "g", tools: ["mail.send"] } };
    const call = { turn: 1, thought: "t", tool: "mail.send", args: { to: "ann" }, risk: "high" };
    const run = { stepId: StepId.parse("a"), item: 0, attempt: 1 };
    const plan = andAfter(
      under(policy, [loop]),
      started("a"),
      loopFact("step.asked", run, { call, startedAt: "2026-01-01T00:00:00Z", durationMs: 5 }),
    );
    expect(recorded(plan)).toMatchObject([
      { data: { requiredBy: "policy", approvers: ["acme/boss"], submitterMayApprove: false } },
    ]);
  });
});

const undone = (event: PlanEvent): PlanEvent =>
  fact(event.type, { ...event.data, undo: true }, { id: `${event.id} undo` });

describe("a compensation", () => {
  const write = step("a", [], {
    tool: "files.write",
    compensate: { tool: "mail.send", args: { to: "ann" } },
  });
  const undoing = (policy: object) =>
    andAfter(under(policy, [write, step("z")]), succeeded("a"), cancelRequested());
  const asked = (plan: KnownPlan) => andAfter(plan, ...recorded(plan));

  it("runs without approval under a policy that does not mention it", () => {
    expect(worksOf(undoing({ rules: [] }))).toMatchObject([{ undo: true, tool: "mail.send" }]);
  });

  it("waits if the policy requires approval of its tool, and runs with the approved arguments", () => {
    const plan = undoing(ASK_MAIL);
    expect(worksOf(plan)).toEqual([]);
    expect(decide(plan)).toMatchObject([
      { event: { data: { approvalId: "risk-a-undo", kind: "tool-risk", undo: true, requiredBy: "policy" } } },
    ]);
    const args = { to: "bob" };
    const approved = andAfter(asked(plan), approvalDecided("risk-a-undo", "approve", { edits: args }));
    expect(worksOf(approved)).toMatchObject([
      { undo: true, args, approval: { approvalId: "risk-a-undo", argsHash: argumentsHash(args) } },
    ]);
    expect(decide(approved)).toEqual(decideNext(approved));
    expect(viewOf(andAfter(approved, undone(succeeded("a"))), 0).compensations).toMatchObject([
      { status: "succeeded" },
    ]);
  });

  it("fails when it is rejected or expires, and its plan ends", () => {
    const plan = asked(undoing(ASK_MAIL));
    for (const event of [approvalDecided("risk-a-undo", "reject"), timerFired("approval-risk-a-undo")]) {
      const ended = andAfter(plan, event);
      expect(viewOf(ended, 0).compensations).toMatchObject([
        { status: "failed", error: { code: "approval_rejected" } },
      ]);
      expect(recorded(ended).map(({ type }) => type)).toContain("plan.ended");
    }
  });

  it("fails without being sent if the policy denies its tool", () => {
    const plan = undoing(NO_MAIL);
    expect(worksOf(plan)).toEqual([]);
    expect(denied(plan)).toMatchObject({ data: { stepId: "a", undo: true, ...DENIAL } });
    expect(recorded(andAfter(plan, denied(plan))).map(({ type }) => type)).toContain("plan.ended");
  });

  it("of a late effect runs in a plan under the same policy", () => {
    const book = mail("a", [], { compensate: { tool: "mail.send", args: { cancel: 7 } } });
    const open = { rules: [{ tools: ["mail.send"], when: "cancel == 7", requireApproval: true }] };
    const begun = andAfter(under(open, [step("z"), book]), started("a"), cancelRequested());
    const { timer = "none", deadline } = begun.watch ?? {};
    const ended = recorded(andAfter(begun, fact("timer.fired", { timer, deadline })));
    const plan = andAfter(begun, fact("timer.fired", { timer, deadline }), ...ended);
    const late = lateEffectsOf(andAfter(plan, succeeded("a")))[0];
    if (late === undefined) throw new Error("wanted a late effect");
    const followUp = followUpGoal(plan, late, { cancel: 7 });
    expect(followUp.data.policy).toEqual(open);
    expect(worksOf(after(fact(followUp.type, followUp.data)))).toEqual([]);
  });
});
