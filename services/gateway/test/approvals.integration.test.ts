// Approvals through the gateway; the test plays the dispatcher, the worker and the server's timer.
import { setTimeout as delay } from "node:timers/promises";
import { PendingApprovals } from "@planwright/api";
import { OWNER_TOOLS, PlanView, ToolSpec } from "@planwright/plan";
import { echo, startTcpProxy } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { connectSocket } from "./support/connect-socket.ts";
import { fact, started, store, succeeded } from "./support/facts.ts";
import { inOneInstant } from "./support/in-one-instant.ts";
import { ownPlan } from "./support/own-plan.ts";
import { sharedGateway, TOOLS } from "./support/start-gateway.ts";

const MAIL = ToolSpec.parse({
  name: "mail.send",
  description: "Sends mail.",
  input: {
    type: "object",
    properties: { to: { type: "string", minLength: 1 }, text: {} },
    required: ["to"],
    additionalProperties: false,
  },
  output: {},
  risk: "high",
  effect: "once",
  timeoutMs: 1_000,
});

const { system, gateway } = await sharedGateway({ tools: [...TOOLS, ...OWNER_TOOLS, MAIL] });

const mail = (id: string, more: object = {}) => ({ id, tool: "mail.send", args: { to: "ann" }, ...more });

async function view(planId: string): Promise<PlanView> {
  return PlanView.parse(await (await gateway.get(`/v1/plans/${planId}`)).json());
}

const own = (planId: string) => ownPlan(system.bus, planId);

/** A plan whose steps need approval. */
async function asked(steps: object[], body: object = {}): Promise<string> {
  const { planId } = await gateway.submit({ goal: "send", plan: { steps }, ...body });
  await own(planId);
  await expect.poll(async () => (await view(planId)).approvals.length).toBeGreaterThan(0);
  return planId;
}

const decide = (planId: string, approvalId: string, body: object) =>
  gateway.post(`/v1/plans/${planId}/approvals/${approvalId}`, body);

async function codeOf(response: Response): Promise<string> {
  const { code } = (await response.json()) as { code: string };
  return `${response.status} ${code}`;
}

describe("an approval", () => {
  it("is shown with the exact arguments and decided over HTTP, once", async () => {
    const planId = await asked([mail("a"), mail("b")]);
    const before = await view(planId);
    expect(before.status).toBe("awaiting-approval");
    expect(before.approvals.map(({ approvalId, status, args }) => [approvalId, status, args])).toEqual([
      ["risk-a-0", "pending", { to: "ann" }],
      ["risk-b-0", "pending", { to: "ann" }],
    ]);

    const body = { decision: "approve", by: "ann", reason: "as agreed" };
    const answered = await decide(planId, "risk-a-0", body);
    expect(answered.status).toBe(200);
    expect(await answered.json()).toMatchObject({
      approvalId: "risk-a-0",
      status: "decided",
      decision: "approve",
      decidedBy: "ann",
      reason: "as agreed",
    });
    const after = await view(planId);
    expect(after.steps.map(({ status }) => status)).toEqual(["queued", "awaiting-approval"]);
    expect(await codeOf(await decide(planId, "risk-a-0", body))).toBe("409 approval_decided");
    expect(await codeOf(await decide(planId, "risk-a-0", { decision: "reject" }))).toBe(
      "409 approval_decided",
    );
    expect((await decide(planId, "risk-b-0", { decision: "reject" })).status).toBe(200);
    expect((await view(planId)).steps.map(({ status }) => status)).toEqual(["queued", "failed"]);
  });

  it("is decided by exactly one of many simultaneous decisions", async () => {
    const planId = await asked([mail("a")]);
    const decisions = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? "approve" : "reject"));
    const answers = await Promise.all(decisions.map((decision) => decide(planId, "risk-a-0", { decision })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
    const first = decisions[answers.findIndex(({ status }) => status === 200)];
    expect((await view(planId)).approvals[0]?.decision).toBe(first);
  });

  it("accepts edited arguments that the tool accepts, and refuses others by their field", async () => {
    const planId = await asked([mail("a")]);
    const bad = await decide(planId, "risk-a-0", { decision: "approve", edits: { to: "" } });
    expect(bad.status).toBe(422);
    expect(await bad.json()).toMatchObject({ code: "invalid_edits", issues: [{ field: "args.to" }] });
    const edits = { to: "bob", text: [1] };
    expect((await decide(planId, "risk-a-0", { decision: "approve", edits })).status).toBe(200);
    expect((await view(planId)).approvals[0]).toMatchObject({ args: { to: "ann" }, edits });
  });

  it.each([
    [{ decision: "happened" }, "400 invalid_request"],
    [{ decision: "perhaps" }, "400 invalid_request"],
    [{}, "400 invalid_request"],
    [{ decision: "reject", edits: { to: "bob" } }, "400 invalid_request"],
    [{ decision: "approve", output: 1 }, "400 invalid_request"],
    [{ decision: "approve", edits: { to: { $ref: "x.output" } } }, "422 invalid_edits"],
  ])("refuses %j", async (body, code) => {
    const planId = await asked([mail("a")]);
    expect(await codeOf(await decide(planId, "risk-a-0", body))).toBe(code);
    expect((await view(planId)).approvals[0]?.status).toBe("pending");
  });

  it("is not found under another name or in another plan", async () => {
    const planId = await asked([mail("a")]);
    const body = { decision: "approve" };
    expect(await codeOf(await decide(planId, "risk-x-0", body))).toBe("404 approval_not_found");
    expect(await codeOf(await decide("nothing", "risk-a-0", body))).toBe("404 plan_not_found");
  });

  it("is gone when it has expired, its plan was cancelled, or its step ended without it", async () => {
    const expired = await asked([mail("a")]);
    const timer = fact(expired, "timer.fired", { timer: "approval-risk-a-0" });
    await store(system.bus, [timer]);
    await expect.poll(async () => (await view(expired)).approvals[0]?.status).toBe("expired");
    expect(await codeOf(await decide(expired, "risk-a-0", { decision: "approve" }))).toBe(
      "409 approval_expired",
    );

    const cancelled = await asked([mail("a")]);
    expect((await gateway.post(`/v1/plans/${cancelled}/cancel`, {})).status).toBe(202);
    expect(await codeOf(await decide(cancelled, "risk-a-0", { decision: "approve" }))).toBe("409 plan_ended");

    const { planId } = await gateway.submit({
      goal: "send",
      plan: { steps: [mail("a"), mail("b")] },
      approval: { risk: "never" },
    });
    const lost = { stepId: "a", item: 0, attempt: 1, workerId: "w1", message: "its worker died" };
    await store(system.bus, [started(planId, "a"), fact(planId, "step.interrupted", lost)]);
    await own(planId);
    await expect.poll(async () => (await view(planId)).approvals[0]?.status).toBe("pending");
    expect(await codeOf(await decide(planId, "unknown-a-0-1", { decision: "approve" }))).toBe(
      "400 invalid_request",
    );
    await store(system.bus, [succeeded(planId, "a")]);
    await expect.poll(async () => (await view(planId)).approvals[0]?.status).toBe("withdrawn");
    expect(await codeOf(await decide(planId, "unknown-a-0-1", { decision: "happened" }))).toBe(
      "409 approval_withdrawn",
    );
  });

  it("can be decided through a replica that is behind the one that showed it", async () => {
    await using proxy = await startTcpProxy(system.nats.url);
    await using behind = await system.gateway({ env: { NATS_URL: proxy.url }, folder: "behind" });
    const { planId } = await gateway.submit({ goal: "send", plan: { steps: [mail("a")] } });
    await expect.poll(async () => (await behind.get(`/v1/plans/${planId}`)).status).toBe(200);
    proxy.swallow();
    await own(planId);
    const path = `/v1/plans/${planId}/approvals/risk-a-0`;
    const answer = behind.post(path, { decision: "approve", by: "ann" });
    await Promise.race([answer, delay(300)]);
    proxy.heal();
    expect(await (await answer).json()).toMatchObject({ status: "decided", decidedBy: "ann" });
    const other = await behind.post(path.replace("-a-", "-b-"), { decision: "approve" });
    expect(await codeOf(other)).toBe("404 approval_not_found");
  });

  it("is decided over the WebSocket as over HTTP", async () => {
    const planId = await asked([mail("a"), mail("b")]);
    await using socket = await connectSocket(gateway.url);
    socket.say({ id: 1, type: "approve", planId, approvalId: "risk-a-0", edits: { to: "bob" }, by: "ann" });
    socket.say({ id: 2, type: "reject", planId, approvalId: "risk-b-0", reason: "no" });
    for (const id of [1, 2])
      expect(await socket.hear((told) => told["id"] === id)).toEqual({ type: "ok", id });
    expect((await view(planId)).approvals).toMatchObject([
      { decision: "approve", edits: { to: "bob" }, decidedBy: "ann" },
      { decision: "reject", reason: "no" },
    ]);
    socket.say({ id: 3, type: "approve", planId, approvalId: "risk-b-0" });
    expect(await socket.hear((told) => told["id"] === 3)).toMatchObject({
      type: "error",
      code: "approval_decided",
    });
  });
});

describe("a whole plan", () => {
  const whole = (steps: object[]) => asked(steps, { approval: { plan: true, risk: "never" } });
  const steps = [echo("a"), echo("b", { dependsOn: ["a"] })];

  it("runs nothing until it is approved, by one of many simultaneous approvals", async () => {
    const planId = await whole(steps);
    expect(await view(planId)).toMatchObject({
      status: "awaiting-approval",
      steps: [{ status: "waiting", waitingFor: "approval" }, { status: "waiting" }],
      approvals: [{ approvalId: "plan-0", kind: "plan", choices: ["approve", "reject"] }],
    });
    const answers = await inOneInstant(() =>
      Promise.all(Array.from({ length: 6 }, () => decide(planId, "plan-0", { decision: "approve" }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    expect((await view(planId)).steps[0]?.status).toBe("queued");
  });

  it("runs as edited by a user", async () => {
    const planId = await whole(steps);
    const edits = {
      steps: [echo("a", { value: "new" }), echo("c", { value: "{{a.output}}" })],
    };
    expect((await decide(planId, "plan-0", { decision: "approve", edits, by: "ann" })).status).toBe(200);
    const after = await view(planId);
    expect(after.steps.map(({ id, status, args }) => [id, status, args["value"]])).toEqual(
      expect.arrayContaining([
        ["a", "queued", "new"],
        ["b", "cancelled", "b"],
        ["c", "waiting", "{{a.output}}"],
      ]),
    );
    expect(after).toMatchObject({ answerFrom: "c", approvals: [{ edits, decidedBy: "ann" }] });
  });

  it("cannot be edited into an invalid plan, or to use tools that the submission does not allow", async () => {
    const planId = await asked(steps, { approval: { plan: true }, tools: ["flow.echo"] });
    const approve = (edits: object) => decide(planId, "plan-0", { decision: "approve", edits });
    expect(await codeOf(await approve({ steps: [] }))).toBe("422 invalid_plan");
    const cycle = await approve({
      steps: [echo("a", { dependsOn: ["b"] }), echo("b", { dependsOn: ["a"] })],
    });
    expect(await cycle.json()).toMatchObject({ code: "invalid_plan", issues: [{ code: "cycle" }] });
    const other = await approve({ steps: [mail("x")] });
    expect(await other.json()).toMatchObject({ issues: [{ code: "tool_not_allowed", stepId: "x" }] });
    expect((await view(planId)).approvals[0]?.status).toBe("pending");
  });

  it("ends when it is rejected, over the WebSocket too, and when the approval expires", async () => {
    const planId = await whole(steps);
    await using socket = await connectSocket(gateway.url);
    socket.say({ id: 1, type: "reject", planId, approvalId: "plan-0", reason: "too dear", by: "ann" });
    expect(await socket.hear((told) => told["id"] === 1)).toEqual({ type: "ok", id: 1 });
    expect(await view(planId)).toMatchObject({
      status: "cancelled",
      reason: "the plan was rejected by ann: too dear",
    });
    expect(await codeOf(await decide(planId, "plan-0", { decision: "approve" }))).toBe(
      "409 approval_decided",
    );
    const expired = await whole(steps);
    await store(system.bus, [fact(expired, "timer.fired", { timer: "approval-plan-0" })]);
    await expect.poll(async () => (await view(expired)).status).toBe("cancelled");
    expect(await codeOf(await decide(expired, "plan-0", { decision: "approve" }))).toBe(
      "409 approval_expired",
    );
    const cancelled = await whole(steps);
    expect((await gateway.post(`/v1/plans/${cancelled}/cancel`, {})).status).toBe(202);
    expect(await codeOf(await decide(cancelled, "plan-0", { decision: "approve" }))).toBe("409 plan_ended");
  });
});

it("requires approval for steps with low confidence, and for nothing else", async () => {
  const step = { id: "a", tool: "flow.echo", args: { value: 1 }, confidence: 0.4 };
  const planId = await asked([step, { ...step, id: "b", confidence: 0.9 }], {
    approval: { confidenceBelow: 0.5 },
  });
  expect(await view(planId)).toMatchObject({
    steps: [{ status: "awaiting-approval" }, { status: "queued" }],
    approvals: [{ approvalId: "confidence-a-0", kind: "confidence", details: { confidence: 0.4 } }],
  });
  const edits = { value: 2 };
  expect((await decide(planId, "confidence-a-0", { decision: "approve", edits })).status).toBe(200);
  expect((await view(planId)).steps[0]?.status).toBe("queued");
});

describe("the effect ledger", () => {
  it("shows late events in the view, without numbers", async () => {
    const { planId } = await gateway.submit({
      goal: "send",
      plan: { steps: [mail("a")] },
      approval: { risk: "never" },
    });
    await store(system.bus, [
      started(planId, "a"),
      fact(planId, "cancel.requested", { reason: "no", by: "ann" }),
      fact(planId, "plan.ended", { outcome: "cancelled", reason: "no" }),
    ]);
    await expect.poll(async () => (await view(planId)).endedAt).toBeDefined();
    const ended = await view(planId);
    expect(ended.effects).toMatchObject([{ key: `${planId}/a/0/0`, status: "unknown" }]);
    await store(system.bus, [succeeded(planId, "a")]);
    await expect.poll(async () => (await view(planId)).effects[0]?.status).toBe("done");
    expect(await view(planId)).toMatchObject({
      seq: ended.seq,
      status: "cancelled",
      updatedAt: ended.updatedAt,
    });
    await using other = await system.gateway({ folder: "other" });
    const response = await other.get(`/v1/plans/${planId}`);
    expect(PlanView.parse(await response.json()).effects[0]?.status).toBe("done");
  });
});

it("keeps the policy of a submission, and requires approval for high risk by default", async () => {
  const { planId } = await gateway.submit({ goal: "send", plan: { steps: [mail("a")] } });
  expect((await view(planId)).steps[0]?.status).toBe("awaiting-approval");
  const loose = { goal: "send", plan: { steps: [mail("a")] }, approval: { risk: "never" } };
  expect((await view((await gateway.submit(loose)).planId)).steps[0]?.status).toBe("queued");
  const wrong = await gateway.post("/v1/plans", { ...loose, approval: { risk: "sometimes" } });
  expect(await codeOf(wrong)).toBe("400 invalid_request");
});

it("lists the pending approvals of all of a tenant's plans, oldest first, without decided or expired ones", async () => {
  const waiting = async (query = "") => {
    const response = await gateway.get(`/v1/approvals${query}`);
    return PendingApprovals.parse(await response.json());
  };
  const before = await waiting("?limit=1000");
  const first = await asked([mail("a"), mail("b")], { goal: "first" });
  const second = await asked([mail("c")], { goal: "second" });
  const shown = (await waiting("?limit=1000")).approvals.slice(before.total);
  expect(shown.map(({ planId, goal, stepId, args }) => [planId, goal, stepId, args])).toEqual([
    [first, "first", "a", { to: "ann" }],
    [first, "first", "b", { to: "ann" }],
    [second, "second", "c", { to: "ann" }],
  ]);
  expect(await waiting("?limit=1")).toMatchObject({ total: before.total + 3, approvals: [{}] });

  await decide(first, "risk-a-0", { decision: "reject" });
  await gateway.post(`/v1/plans/${second}/cancel`, {});
  const left = (await waiting("?limit=1000")).approvals.slice(before.total);
  expect(left.map(({ planId, stepId }) => [planId, stepId])).toEqual([[first, "b"]]);
  expect(await codeOf(await gateway.get("/v1/approvals?limit=0"))).toBe("400 invalid_request");
});

describe("a question", () => {
  const ask = (id: string, args: object) => ({ id, tool: "human.ask", args });
  const two = [ask("when", { question: "When?" }), ask("who", { question: "Who?", choices: ["ann", "bob"] })];

  it("is answered over HTTP and over the WebSocket", async () => {
    const planId = await asked(two);
    const { approvals } = await view(planId);
    expect(
      approvals.map(({ approvalId, kind, question, choices }) => [approvalId, kind, question, choices]),
    ).toEqual([
      ["ask-when-0-1", "question", "When?", ["answer", "reject"]],
      ["ask-who-0-1", "question", "Who?", ["answer", "reject"]],
    ]);
    const answered = await decide(planId, "ask-when-0-1", {
      decision: "answer",
      answer: { day: 3 },
      by: "ann",
    });
    expect(await answered.json()).toMatchObject({
      status: "decided",
      decision: "answer",
      answer: { day: 3 },
    });
    expect((await view(planId)).steps.map(({ id, status }) => [id, status])).toEqual([
      ["when", "succeeded"],
      ["who", "awaiting-approval"],
    ]);

    await using socket = await connectSocket(gateway.url);
    socket.say({ id: 1, type: "answer", planId, approvalId: "ask-who-0-1", answer: "bob" });
    expect(await socket.hear((told) => told["id"] === 1)).toEqual({ type: "ok", id: 1 });
    const { steps } = await view(planId);
    expect(steps.map(({ output }) => output)).toEqual([
      { value: { answer: { day: 3 }, by: "ann" } },
      { value: { answer: "bob", by: "default" } },
    ]);
  });

  it.each([
    ["no answer", "ask-when-0-1", { decision: "answer" }],
    ["an approval", "ask-when-0-1", { decision: "approve" }],
    ["an answer that is not among its choices", "ask-who-0-1", { decision: "answer", answer: "eve" }],
    ["an answer to a rejection", "ask-who-0-1", { decision: "reject", answer: "bob" }],
    ["an answer that no fact could hold", "ask-when-0-1", { decision: "answer", answer: "x".repeat(70_000) }],
  ])("refuses %s", async (_what, approvalId, body) => {
    const planId = await asked(two);
    expect(await codeOf(await decide(planId, approvalId, body))).toBe("400 invalid_request");
    expect((await view(planId)).approvals.map(({ status }) => status)).toEqual(["pending", "pending"]);
  });
});
