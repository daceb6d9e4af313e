// Each of the four gates, in everything that can happen to what waits at one. All plans wait from the beginning on,
// while the planner and the gateway are killed, and nats-server after them.
import type { PlanView } from "@planwright/plan";
import { echo, judgementText, startEffectCounter } from "@planwright/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const effects = await startEffectCounter();
afterAll(() => effects[Symbol.asyncDispose]());
const shared = sharedSystem({
  alone: ["planner", "executor", "gateway"],
  services: { executor: { HTTP_FETCH_ALLOW: effects.host } },
});

const planOf = (...steps: readonly object[]) => ({ plan: { steps, answerFrom: "a" } });

type Gate = {
  readonly gate: string;
  /** What is submitted, besides how long it may wait. */
  readonly body: object;
  readonly approval?: object;
  readonly approvalId: string;
  readonly edits: object;
  /** What the plan has to show when it was let through, and with edits. */
  readonly approved: object;
  readonly edited: object;
  readonly refused: object;
};

const SAID = { status: "succeeded", answer: { text: "planned" } };
const EDITED = { status: "succeeded", answer: { text: "edited" } };
const STEP_REFUSED = {
  steps: [{ id: "a", status: "failed", error: { code: "approval_rejected" } }],
  answer: { status: "failed" },
};

const GATES: readonly Gate[] = [
  {
    gate: "plan",
    body: planOf(echo("a", { value: "planned" })),
    approval: { plan: true },
    approvalId: "plan-0",
    edits: { steps: [echo("a", { value: "edited" })], answerFrom: "a" },
    approved: SAID,
    edited: EDITED,
    refused: { status: "cancelled", steps: [{ status: "cancelled", attempt: 0 }] },
  },
  {
    gate: "risk",
    body: planOf(echo("a", { value: "planned" })),
    approval: { risk: "low" },
    approvalId: "risk-a-0",
    edits: { value: "edited" },
    approved: SAID,
    edited: EDITED,
    refused: STEP_REFUSED,
  },
  {
    gate: "confidence",
    body: planOf(echo("a", { value: "planned", confidence: 0.1 })),
    approval: { confidenceBelow: 0.5 },
    approvalId: "confidence-a-0",
    edits: { value: "edited" },
    approved: SAID,
    edited: EDITED,
    refused: STEP_REFUSED,
  },
  {
    gate: "budget",
    body: {
      ...planOf(echo("b", { value: "first" }), echo("a", { value: "planned", dependsOn: ["b"] })),
      budget: { steps: 1, onExhausted: "ask" },
    },
    approvalId: "budget-1",
    edits: { steps: 5 },
    approved: { ...SAID, budget: { limit: { steps: 2 }, used: { steps: 2 } } },
    edited: { ...SAID, budget: { limit: { steps: 6 }, used: { steps: 2 } } },
    refused: { status: "partial", budget: { exhausted: "steps", used: { steps: 1 } } },
  },
];

const CASES = ["services", "one", "other", "broker", "cancelled", "edited"] as const;
type Case = (typeof CASES)[number] | "expired";
/** Long enough for all to be asked about, and for the first crash, while it passes. */
const EXPIRES_AFTER_MS = 5_000;

const planIds = new Map<string, string>();
const idOf = ({ gate }: Gate, which: Case): string => planIds.get(`${gate}/${which}`) ?? "";
const viewOf = (gate: Gate, which: Case): Promise<PlanView> => shared.system.client.view(idOf(gate, which));
const endOf = (gate: Gate, which: Case): Promise<PlanView> => shared.system.client.ended(idOf(gate, which));

async function submit(gate: Gate, which: Case, expires: object = {}): Promise<void> {
  const approval = { ...gate.approval, ...expires };
  const { planId } = await shared.system.client.submit({
    goal: which,
    ...gate.body,
    approval,
    maxReplans: 0,
  });
  planIds.set(`${gate.gate}/${which}`, planId);
}

const decide = (gate: Gate, which: Case, body: object): Promise<string> =>
  decideOn(idOf(gate, which), gate.approvalId, body);

/** @returns The status, and the code of a refusal. */
async function decideOn(planId: string, approvalId: string, body: object): Promise<string> {
  const path = `/v1/plans/${planId}/approvals/${approvalId}`;
  const response = await shared.system.client.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ by: "ann", ...body }),
  });
  const { code = "" } = (await response.json()) as { code?: string };
  return `${response.status} ${code}`.trim();
}

/** Of these cases, those in which a plan does not wait at its gate, and at no other. */
async function notWaiting(cases: readonly Case[]): Promise<string[]> {
  const found = await Promise.all(
    GATES.flatMap((gate) =>
      cases.map(async (which) => {
        const { status, approvals } = await viewOf(gate, which);
        const asked = approvals.map((approval) => `${approval.approvalId} ${approval.status}`).join();
        const waits = status === "awaiting-approval" && asked === `${gate.approvalId} pending`;
        return waits ? [] : [`${gate.gate}, ${which}: ${status}, ${asked}`];
      }),
    ),
  );
  return found.flat();
}

it("has every plan wait for approval, and keep waiting when planner and gateway were killed", async () => {
  const { system, model } = shared;
  model.play({ judgement: () => judgementText({ status: "failed", text: "it was not allowed" }) });
  await Promise.all(
    GATES.flatMap((gate) => [
      ...CASES.map((which) => submit(gate, which)),
      submit(gate, "expired", { expiresAfterMs: EXPIRES_AFTER_MS }),
    ]),
  );
  await expect.poll(() => notWaiting(CASES)).toEqual([]);
  await Promise.all([system.kill("planner"), system.kill("gateway")]);
  await Promise.all([system.start("planner"), system.start("gateway")]);
  await expect.poll(() => notWaiting(CASES)).toEqual([]);
});

describe.each(GATES)("the $gate gate", (gate) => {
  it("is opened after the death of planner and gateway", async () => {
    expect(await decide(gate, "services", { decision: "approve" })).toBe("200");
    expect(await endOf(gate, "services")).toMatchObject(gate.approved);
  });
});

describe("after nats-server was killed too", () => {
  it("has every plan keep waiting", async () => {
    const { nats } = shared.system;
    await nats.kill();
    await nats.restart();
    await expect.poll(() => notWaiting(["one", "other", "broker", "cancelled", "edited"])).toEqual([]);
  });

  describe.each(GATES)("the $gate gate", (gate) => {
    it("is opened", async () => {
      expect(await decide(gate, "broker", { decision: "approve" })).toBe("200");
      expect(await endOf(gate, "broker")).toMatchObject(gate.approved);
    });

    it("keeps two pending approvals apart, and accepts one of two simultaneous decisions", async () => {
      const approve = { decision: "approve" };
      const answers = await Promise.all([
        decide(gate, "one", approve),
        decide(gate, "other", { decision: "reject", reason: "no" }),
        decide(gate, "one", approve),
      ]);
      expect(answers[1]).toBe("200");
      expect([answers[0], answers[2]].toSorted()).toEqual(["200", "409 approval_decided"]);
      expect(await endOf(gate, "one")).toMatchObject(gate.approved);
      expect(await endOf(gate, "other")).toMatchObject(gate.refused);
    });

    it("is shut when its time is over, whatever was down meanwhile", async () => {
      const view = await endOf(gate, "expired");
      expect(view).toMatchObject({ ...gate.refused, approvals: [{ status: "expired", decidedBy: "timer" }] });
      expect(await decide(gate, "expired", { decision: "approve" })).toMatch(
        /^409 (?:approval_expired|plan_ended)$/,
      );
    });

    it("is shut by a cancellation", async () => {
      const path = `/v1/plans/${idOf(gate, "cancelled")}/cancel`;
      expect((await shared.system.client.fetch(path, { method: "POST" })).status).toBe(202);
      const view = await endOf(gate, "cancelled");
      expect(view).toMatchObject({ status: "cancelled", approvals: [{ status: "withdrawn" }] });
      expect(await decide(gate, "cancelled", { decision: "approve" })).toBe("409 plan_ended");
      expect((await viewOf(gate, "cancelled")).steps.find(({ id }) => id === "a")?.status).toBe("cancelled");
    });

    it("runs the edited version after approval", async () => {
      const { edits } = gate;
      expect(await decide(gate, "edited", { decision: "approve", edits })).toBe("200");
      expect(await endOf(gate, "edited")).toMatchObject({ ...gate.edited, approvals: [{ edits }] });
    });
  });
});

const send = (id: string, body: unknown) => ({
  id,
  tool: "http.send",
  args: { url: effects.url("plain"), body },
});

it("lets two branches of one plan wait for approval simultaneously, and runs approved steps that no worker was there to run", async () => {
  const { system } = shared;
  const echoed = { id: "join", tool: "flow.echo", args: { value: "{{first.output.status}}" } };
  const { planId } = await system.client.submit({
    goal: "send twice",
    plan: {
      steps: [send("first", { n: 1 }), send("second", { n: 2 }), echo("free", { value: "x" }), echoed],
      answerFrom: "join",
    },
  });
  const pending = async () =>
    (await system.client.view(planId)).approvals.map(({ approvalId, args }) => [approvalId, args]);
  await expect.poll(pending).toEqual([
    ["risk-first-0", send("", { n: 1 }).args],
    ["risk-second-0", send("", { n: 2 }).args],
  ]);
  await expect.poll(async () => (await system.client.view(planId)).status).toBe("awaiting-approval");
  expect(effects.requests).toEqual([]);

  await Promise.all([system.kill("planner"), system.kill("executor")]);
  const edits = { url: effects.url("plain"), body: { n: "edited" } };
  expect(await decideOn(planId, "risk-first-0", { decision: "approve", edits })).toBe("200");
  expect(await decideOn(planId, "risk-second-0", { decision: "reject" })).toBe("200");
  expect(await decideOn(planId, "risk-first-0", { decision: "reject" })).toBe("409 approval_decided");
  await Promise.all([system.start("planner"), system.start("executor")]);

  const view = await system.client.ended(planId);
  expect(view.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "first succeeded",
    "second failed",
    "free succeeded",
    "join succeeded",
  ]);
  const key = `${planId}/first/0/0`;
  expect(effects.counts()).toEqual(new Map([[key, 1]]));
  const checked = await fetch(effects.url("check"), { headers: { "idempotency-key": key } });
  expect(await checked.json()).toEqual({ sent: JSON.stringify(edits.body) });
});
