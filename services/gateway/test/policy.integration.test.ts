// The installation's policy at the gateway: what a submission cannot relax, and who may approve.
import { OWNER_TOOLS, PlanView, ToolSpec } from "@planwright/plan";
import { startService } from "@planwright/shared/service";
import { echo } from "@planwright/testkit";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gatewayService } from "../src/index.ts";
import { strayApprovers } from "../src/submit/read-policy.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { connectSocket } from "./support/connect-socket.ts";
import { ownPlan } from "./support/own-plan.ts";
import { log, startSystem, type TestGateway, type TestSystem, TOOLS } from "./support/start-gateway.ts";

const tool = (name: string, more: object = {}) =>
  ToolSpec.parse({
    name,
    description: name,
    input: {
      type: "object",
      properties: { to: {}, amount: { type: "number" } },
      additionalProperties: false,
    },
    output: {},
    risk: "medium",
    effect: "once",
    timeoutMs: 1_000,
    ...more,
  });

const POLICY = {
  maxBudget: { steps: 10 },
  submitterMayApprove: false,
  mcpApprovers: ["acme/robot"],
  rules: [
    { tools: ["shell.*"], deny: true },
    { tools: ["refund.pay"], when: "amount > 1000", deny: true },
    { tools: ["refund.pay"], when: "amount > 100", approvers: ["acme/boss"] },
    { tools: ["mail.*", "refund.pay"], requireApproval: true },
  ],
  tenants: { other: { submitterMayApprove: true } },
};
const KEYS = [
  "acme/ann:ann-key",
  "acme/bob:bob-key",
  "acme/boss:boss-key",
  "acme/robot:robot-key",
  "other:other-key",
];
const as = (name: string) => ({ authorization: `Bearer ${name}-key` });
const LAX = { approval: { risk: "never" } };

let system: TestSystem;
let gateway: TestGateway;

beforeAll(async () => {
  system = await startSystem({
    tools: [
      ...TOOLS,
      ...OWNER_TOOLS,
      tool("mail.send"),
      tool("refund.pay"),
      tool("shell.run", { risk: "low" }),
    ],
  });
  gateway = await system.gateway({
    env: { PLANWRIGHT_API_KEYS: KEYS.join(","), PLANWRIGHT_POLICY: await policyFile(POLICY) },
  });
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await system?.[Symbol.asyncDispose]();
});

async function policyFile(content: unknown, name = "policy.json"): Promise<string> {
  const file = path.join(system.folder, name);
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const mail = { id: "a", tool: "mail.send", args: { to: "ann" } };
const refund = (amount: number) => ({ id: "a", tool: "refund.pay", args: { amount } });

async function view(planId: string, who = "ann"): Promise<PlanView> {
  return PlanView.parse(await (await gateway.get(`/v1/plans/${planId}`, as(who))).json());
}

/** A plan with pending approvals. */
async function asked(
  steps: object[],
  { who = "ann", ...body }: { who?: string; [field: string]: unknown } = {},
) {
  const { planId } = await gateway.submit({ goal: "pay", plan: { steps }, ...LAX, ...body }, as(who));
  await ask(planId, who);
  return planId;
}

/** Requests the plan's approvals, and waits until the gateway shows them. */
async function ask(planId: string, who = "ann"): Promise<void> {
  await ownPlan(system.bus, planId);
  await expect.poll(async () => (await view(planId, who)).approvals.length).toBeGreaterThan(0);
}

async function decide(planId: string, who: string, body: object, approvalId = "risk-a-0") {
  const response = await gateway.post(`/v1/plans/${planId}/approvals/${approvalId}`, body, as(who));
  const answer = (await response.json()) as { code?: string; detail?: string };
  return { said: [response.status, answer.code].filter(Boolean).join(" "), answer };
}

async function refusal(
  response: Promise<Response>,
): Promise<{ code: string; detail: string; status: number }> {
  return (await (await response).json()) as { code: string; detail: string; status: number };
}

describe("a submission", () => {
  it("that is laxer than the policy needs approval anyway, and its view names who requires it", async () => {
    const planId = await asked([mail]);
    expect(await view(planId)).toMatchObject({
      status: "awaiting-approval",
      policy: { rules: POLICY.rules, maxBudget: { steps: 10 } },
      submittedBy: "acme/ann",
      budget: { limit: { steps: 10 } },
      approvals: [{ approvalId: "risk-a-0", requiredBy: "policy", submitterMayApprove: false }],
    });
  });

  it("with a larger budget gets the policy's, and a smaller one is unchanged", async () => {
    const large = await asked([mail], { budget: { steps: 1_000, tokens: 500 } });
    expect((await view(large)).budget?.limit).toEqual({ steps: 10, tokens: 500 });
    const small = await asked([mail], { budget: { steps: 2 } });
    expect((await view(small)).budget?.limit).toEqual({ steps: 2 });
  });

  it.each([
    ["a step", [{ id: "a", tool: "shell.run" }]],
    ["a compensation", [{ ...mail, compensate: { tool: "shell.run", args: {} } }]],
    [
      "a sub-plan",
      [{ id: "a", tool: "plan.run", args: { plan: { steps: [{ id: "b", tool: "shell.run" }] } } }],
    ],
  ])("that names a forbidden tool in %s is refused", async (_, steps) => {
    const body = { goal: "run", plan: { steps } };
    const refused = await refusal(gateway.post("/v1/plans", body, as("ann")));
    expect(refused).toMatchObject({ status: 403, code: "denied_by_policy" });
    expect(refused.detail).toContain("shell.run");
    expect(await refusal(gateway.post("/v1/plans/preview", body, as("ann")))).toMatchObject({ status: 403 });
  });

  it("over MCP is subject to the policy too", async () => {
    await using mcp = await connectMcp(gateway.url, "robot-key");
    const { planId } = await mcp.call("plan_submit", { goal: "pay", plan: { steps: [mail] }, options: LAX });
    await ask(String(planId));
    expect(await view(String(planId))).toMatchObject({
      submittedBy: "acme/robot",
      approvals: [{ requiredBy: "policy" }],
    });
  });

  it("is subject to the policy when it repeats another plan, and so is a fork", async () => {
    const first = await asked([mail]);
    const again = await gateway.post(`/v1/plans/${first}/rerun`, { edits: LAX }, as("bob"));
    expect(again.status, await again.clone().text()).toBe(202);
    const { planId } = (await again.json()) as { planId: string };
    await ask(planId);
    expect(await view(planId)).toMatchObject({
      submittedBy: "acme/bob",
      approvals: [{ requiredBy: "policy" }],
    });
    await decide(first, "bob", { decision: "reject" });
    const forked = await gateway.post(`/v1/plans/${first}/fork`, { fromStep: "a" }, as("bob"));
    expect(forked.status, await forked.clone().text()).toBe(202);
    const { planId: fork } = (await forked.json()) as { planId: string };
    await ask(fork);
    expect(await view(fork)).toMatchObject({
      submittedBy: "acme/bob",
      policy: { maxBudget: { steps: 10 } },
      approvals: [{ requiredBy: "policy" }],
    });
  });

  it("keeps the policy that was valid at its submission", async () => {
    await using later = await system.gateway({
      folder: "later",
      env: {
        PLANWRIGHT_API_KEYS: KEYS.join(","),
        PLANWRIGHT_POLICY: await policyFile({ rules: [] }, "later.json"),
      },
    });
    const planId = await asked([mail]);
    const path = `/v1/plans/${planId}/approvals/risk-a-0`;
    const refused = await refusal(later.post(path, { decision: "approve" }, as("ann")));
    expect(refused).toMatchObject({ status: 403, code: "not_an_approver" });
    const { planId: free } = await later.submit({ goal: "pay", plan: { steps: [mail] }, ...LAX }, as("ann"));
    await ownPlan(system.bus, free);
    await expect.poll(async () => (await view(free)).steps[0]?.status).toBe("queued");
  });
});

describe("a decision", () => {
  it("is refused to the user who submitted the plan, and the refusal names who may", async () => {
    const planId = await asked([mail]);
    const { said, answer } = await decide(planId, "ann", { decision: "approve" });
    expect(said).toBe("403 not_an_approver");
    expect(answer.detail).toContain("acme/ann submitted the plan");
    expect(answer.detail).toContain("any other key of the tenant");
    expect((await decide(planId, "bob", { decision: "approve" })).said).toBe("200");
  });

  it("can always be to reject, and is free where the tenant's policy says so", async () => {
    expect((await decide(await asked([mail]), "ann", { decision: "reject" })).said).toBe("200");
    const planId = await asked([mail], { who: "other" });
    expect((await decide(planId, "other", { decision: "approve" })).said).toBe("200");
  });

  it("is refused to everyone but the named approvers", async () => {
    const planId = await asked([refund(500)]);
    expect((await view(planId)).approvals).toMatchObject([{ approvers: ["acme/boss"] }]);
    const { said, answer } = await decide(planId, "bob", { decision: "approve" });
    expect(said).toBe("403 not_an_approver");
    expect(answer.detail).toContain("acme/boss");
    expect((await decide(planId, "boss", { decision: "approve" })).said).toBe("200");
  });

  it("records the key that made it; a name in the request is a note", async () => {
    const planId = await asked([mail]);
    const { answer } = await decide(planId, "bob", { decision: "approve", by: "acme/boss" });
    expect(answer).toMatchObject({ decidedBy: "acme/bob", signedAs: "acme/boss" });
    const other = await asked([mail]);
    await decide(other, "bob", { decision: "reject", by: "the boss", reason: "no" });
    expect((await view(other)).steps[0]?.error?.message).toBe("rejected by acme/bob: no");
  });

  it("is checked against the edited arguments", async () => {
    const planId = await asked([refund(50)]);
    const edit = (who: string, amount: number) =>
      decide(planId, who, { decision: "approve", edits: { amount } });
    expect((await edit("bob", 500)).said).toBe("403 not_an_approver");
    const { said, answer } = await edit("boss", 5_000);
    expect(said).toBe("403 denied_by_policy");
    expect(answer.detail).toContain("refund.pay with these arguments");
    expect((await edit("bob", 60)).said).toBe("200");
  });

  it("on a whole plan cannot add a forbidden tool", async () => {
    const planId = await asked([echo("a")], { approval: { plan: true } });
    const edits = { steps: [{ id: "a", tool: "shell.run", args: {} }] };
    const { said } = await decide(planId, "bob", { decision: "approve", edits }, "plan-0");
    expect(said).toBe("403 denied_by_policy");
  });

  it("over MCP is refused unless the policy names the key", async () => {
    const planId = await asked([mail]);
    const asking = { planId, approvalId: "risk-a-0", decision: "approve" };
    await using bob = await connectMcp(gateway.url, "bob-key");
    await expect(bob.call("plan_approve", asking)).rejects.toThrow(
      /^not_an_approver: acme\/bob may not approve through MCP, only acme\/robot may/,
    );
    await using robot = await connectMcp(gateway.url, "robot-key");
    await robot.call("plan_approve", asking);
    expect((await view(planId)).approvals).toMatchObject([{ decidedBy: "acme/robot" }]);
  });

  it("over the WebSocket is subject to the same rules", async () => {
    const planId = await asked([mail]);
    await using ann = await connectSocket(gateway.url, { headers: as("ann") });
    ann.say({ id: 1, type: "approve", planId, approvalId: "risk-a-0" });
    expect(await ann.hear(({ id }) => id === 1)).toMatchObject({ type: "error", code: "not_an_approver" });
  });
});

describe("without keys", () => {
  it("a single user can approve everything, and the policy's gates still apply", async () => {
    await using open = await system.gateway({
      folder: "open",
      env: { PLANWRIGHT_POLICY: await policyFile(POLICY) },
    });
    const { planId } = await open.submit({ goal: "pay", plan: { steps: [refund(500)] }, ...LAX });
    await ownPlan(system.bus, planId);
    const response = await open.post(`/v1/plans/${planId}/approvals/risk-a-0`, {
      decision: "approve",
      by: "ann",
    });
    expect(await response.json()).toMatchObject({
      status: "decided",
      decidedBy: "ann",
      requiredBy: "policy",
    });
  });
});

describe("with keys and without a policy", () => {
  it("no MCP client may approve", async () => {
    await using plain = await system.gateway({
      folder: "plain",
      env: { PLANWRIGHT_API_KEYS: KEYS.join(",") },
    });
    const { planId } = await plain.submit(
      { goal: "pay", plan: { steps: [mail] }, approval: { risk: "low" } },
      as("ann"),
    );
    await ownPlan(system.bus, planId);
    await using mcp = await connectMcp(plain.url, "bob-key");
    await expect(
      mcp.call("plan_approve", { planId, approvalId: "risk-a-0", decision: "approve" }),
    ).rejects.toThrow(/may not approve through MCP, no one may/);
  });
});

describe("the start", () => {
  const start = async (content: unknown) =>
    startService(gatewayService, {
      env: {
        NATS_URL: system.nats.url,
        PLANWRIGHT_DATA: `${system.folder}/start`,
        PLANWRIGHT_POLICY: await policyFile(content, "bad.json"),
      },
      signal: new AbortController().signal,
      log,
    });

  it.each([
    ["{", /bad\.json: wanted JSON/],
    [{ rule: [] }, /bad\.json: the file: unknown field: "rule"/],
    [
      { rules: [{ tools: ["mail.*"], when: "amount <", deny: true }] },
      /bad\.json: rules\[0\]\.when: .*wanted a reference/,
    ],
    [{ approval: { risk: "never" } }, /bad\.json: approval\.risk: .*never/],
    [{ tenants: { acme: { approvers: [] } } }, /bad\.json: tenants\.acme\.approvers/],
  ])("is refused by a malformed policy file: %j", async (content, message) => {
    await expect(start(content)).rejects.toThrow(message);
  });

  it("is refused by a missing policy file", async () => {
    const env = { NATS_URL: system.nats.url, PLANWRIGHT_POLICY: `${system.folder}/none.json` };
    const starting = startService(gatewayService, { env, signal: new AbortController().signal, log });
    await expect(starting).rejects.toThrow(/none\.json: file not found/);
  });

  it("warns about approvers that no key has, or only a key that may not approve", () => {
    const keys = [
      { identity: "acme/ann", role: "approver" as const },
      { identity: "acme/bot", role: "submitter" as const },
    ];
    const named = ["acme/*", "acme/ann", "acme/anne", "acme/bot"];
    expect(strayApprovers(named, keys)).toEqual(["acme/anne", "acme/bot"]);
  });
});
