// Redaction: a plan whose goal, arguments, outputs, errors, files, prompts and answer hold a card number, an e-mail address and a
// password. Logs and traces never show them; views show them to the roles that the rules name, and what runs is not changed.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { applyChanges, type JsonChange } from "@planwright/plan/json-changes";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { runCli } from "../packages/cli/src/testing/run-cli.ts";
import { connectSocket } from "./support/connect-socket.ts";
import { sharedSystem } from "./support/shared-system.ts";

const CARD = "4111 1111 1111 1111";
const EMAIL = "ann.lee@customers.example";
const PASSWORD = "hunter-2-hunter";
const HIDDEN = [CARD, CARD.replaceAll(" ", ""), EMAIL, PASSWORD];
const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

const VIEWER = { authorization: "Bearer key-of-vera" };
const OPERATOR = { authorization: "Bearer key-of-olaf" };
const ADMIN = { authorization: "Bearer key-of-adam" };

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-redaction-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const rules = path.join(folder, "redaction.json");
const shownTo = ["admin"];
await writeFile(
  rules,
  JSON.stringify({
    rules: [
      { builtIn: "email", shownTo },
      { builtIn: "card", shownTo },
      { name: "credentials", keys: ["password"], shownTo },
    ],
  }),
);
const toolFile = (name: string, risk: string) => `import { createHash } from "node:crypto";
import { defineTool, z } from "@planwright/tools-kit";
export default defineTool({
  name: "${name}",
  description: "Shows what it is given in every way that a tool has.",
  input: z.strictObject({ to: z.string(), password: z.string(), card: z.number(), fails: z.boolean().default(false) }),
  output: z.unknown(),
  risk: "${risk}", effect: "read", timeoutMs: 5_000,
  run: async ({ to, password, card, fails }, context) => {
    const text = JSON.stringify({ to, password, card });
    context.log.warn({ to, nested: { password, card } }, "given " + text);
    context.progress("given " + text);
    await context.workspace.write("given.json", Buffer.from(text), "application/json");
    await context.workspace.write("given.txt", Buffer.from("given " + text), "text/plain");
    await context.workspace.write(to + ".txt", Buffer.from("named"), "text/plain");
    await context.workspace.write("given.bin", Buffer.from([0, 1, 2]), "application/octet-stream");
    await context.model.complete({ prompt: { name: "show", version: 1 }, messages: [{ role: "user", content: text }], signal: context.signal });
    if (fails) throw new Error("cannot pay for " + text);
    const digest = createHash("sha256").update(password).digest("hex").slice(0, 12);
    return { to, password, card, text: "for " + to + " by ${CARD}", digest, [to]: text };
  },
});
`;
await writeFile(path.join(folder, "show.ts"), toolFile("own.show", "low"));
await writeFile(path.join(folder, "pay.ts"), toolFile("own.pay", "high"));

const PLANWRIGHT_REDACTION = rules;
const OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT = "true";
const everywhere = {
  PLANWRIGHT_REDACTION,
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
  LOG_LEVEL: "debug",
};
const shared = sharedSystem({
  services: {
    gateway: everywhere,
    planner: everywhere,
    reflector: everywhere,
    executor: { ...everywhere, PLANWRIGHT_TOOLS: folder },
  },
});

const args = { to: EMAIL, password: PASSWORD, card: Number(CARD.replaceAll(" ", "")) };
const GOAL = `write to ${EMAIL} about ${CARD}, {"password":"${PASSWORD}"}`;
let url: string;
/** Has ended; one of its steps has failed. */
let planId: string;

async function get(from: string, headers: Record<string, string>): Promise<string> {
  return (await fetch(url + from, { headers })).text();
}

async function post(to: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(url + to, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

async function submit(body: object): Promise<string> {
  const response = await post("/v1/plans", body, OPERATOR);
  if (response.status !== 202) throw new Error(await response.text());
  return z.object({ planId: z.string() }).parse(await response.json()).planId;
}

const found = (text: string) => HIDDEN.filter((value) => text.includes(value));

beforeAll(async () => {
  shared.model.play({ write: `wrote to ${EMAIL} about ${CARD}, {"password":"${PASSWORD}"}` });
  const gateway = await shared.system.start("gateway", {
    ...everywhere,
    PORT: "0",
    PLANWRIGHT_DATA: path.join(folder, "second"),
    PLANWRIGHT_API_KEYS:
      "acme/vera@viewer:key-of-vera,acme/olaf@operator:key-of-olaf,acme/adam@admin:key-of-adam",
  });
  url = gateway.url ?? "";
  const steps = [
    { id: "show", description: `for ${EMAIL}`, tool: "own.show", args },
    { id: "fails", tool: "own.show", args: { ...args, fails: true }, retry: { maxAttempts: 1 } },
    { id: "last", tool: "model.write", args: { prompt: `about {{show.output.text}}` }, dependsOn: ["show"] },
  ];
  planId = await submit({
    goal: GOAL,
    plan: { steps, answerFrom: "last" },
    metadata: { password: PASSWORD, to: EMAIL },
  });
  // To its end.
  await get(`/v1/plans/${planId}/events`, ADMIN);
});

const VIEWS = [
  ["the view", ""],
  ["an earlier view", "?seq=2"],
  ["the page of events", "/events"],
  ["the stream of events", "/events?stream"],
  ["the submission", "/submission"],
  ["the continuity page", "/continuity.md"],
  ["the list of files", "/artifacts"],
  ["a JSON file", "/artifacts/files/given.json"],
  ["a text file", "/artifacts/files/given.txt"],
] as const;

describe("over HTTP", () => {
  it.each(VIEWS)(
    "%s hides what the rules name from a viewer and shows it to an admin",
    async (_what, part) => {
      const accept = part.endsWith("?stream") ? "text/event-stream" : "application/json";
      const from = `/v1/plans/${planId}${part.replace("?stream", "")}`;
      const seen = await get(from, { ...VIEWER, accept });
      const plain = await get(from, { ...ADMIN, accept });
      expect(found(seen)).toEqual([]);
      expect(seen).toContain("[redacted: email]");
      expect(found(plain)).not.toEqual([]);
      expect(seen).not.toContain("problem:");
    },
  );

  it("a view keeps its ids, states and numbers, and an artifact stays JSON", async () => {
    const [seen, plain] = [VIEWER, ADMIN].map(async (key) =>
      JSON.parse(await get(`/v1/plans/${planId}`, key)),
    );
    expect(await seen).toMatchObject({
      planId,
      status: "partial",
      goal: 'write to [redacted: email] about [redacted: card], {"password":"[redacted: credentials]"}',
      metadata: { password: "[redacted: credentials]", to: "[redacted: email]" },
      steps: [
        {
          id: "show",
          args: { to: "[redacted: email]", password: "[redacted: credentials]", card: "[redacted: card]" },
          output: { value: { card: "[redacted: card]", digest: digestOf(PASSWORD) } },
        },
        { id: "fails", error: { message: expect.stringContaining("[redacted: credentials]") } },
        { id: "last" },
      ],
      answer: { text: expect.stringContaining("[redacted: email]") },
    });
    expect(await plain).toMatchObject({ goal: GOAL, steps: [{ args, output: { value: args } }, {}, {}] });
    expect(JSON.parse(await get(`/v1/plans/${planId}/artifacts/files/given.json`, VIEWER))).toEqual({
      to: "[redacted: email]",
      password: "[redacted: credentials]",
      card: "[redacted: card]",
    });
  });

  it("a file that is no text is refused to a viewer and sent to an admin", async () => {
    const from = `${url}/v1/plans/${planId}/artifacts/files/given.bin`;
    const refused = await fetch(from, { headers: VIEWER });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "redacted_for_role" }]);
    expect((await fetch(from, { headers: ADMIN })).status).toBe(200);
  });

  it("lists show the redacted goal, and no search finds a plan by what is hidden", async () => {
    const list = await get("/v1/plans", VIEWER);
    expect(list).toContain(planId);
    expect(found(list)).toEqual([]);
    for (const q of ["4111", "ann.lee", "hunter"]) {
      expect(JSON.parse(await get(`/v1/plans?q=${q}`, VIEWER))).toEqual({ plans: [] });
    }
    expect(await get("/v1/plans?q=write", VIEWER)).toContain(planId);
  });

  it("a re-run runs the original submission, and a copy by a viewer is refused", async () => {
    const again = await post(`/v1/plans/${planId}/rerun`, {}, OPERATOR);
    const { planId: second } = z.object({ planId: z.string() }).parse(await again.json());
    await get(`/v1/plans/${second}/events`, ADMIN);
    expect(await get(`/v1/plans/${second}`, VIEWER)).toContain(digestOf(PASSWORD));
    const copied = JSON.parse(await get(`/v1/plans/${planId}`, OPERATOR)) as { goal: string };
    const refused = await post("/v1/plans", { goal: copied.goal }, OPERATOR);
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: "redacted_value" }]);
  });
});

describe("an approval", () => {
  it("is hidden from roles that may not see it, which may reject but not approve, and runs unchanged", async () => {
    const pays = await submit({ goal: "pay", plan: { steps: [{ id: "pay", tool: "own.pay", args }] } });
    const Pending = z.object({
      approvals: z.array(z.object({ approvalId: z.string(), planId: z.string() })),
    });
    const pending = async () =>
      Pending.parse(JSON.parse(await get("/v1/approvals", OPERATOR))).approvals.find(
        (one) => one.planId === pays,
      );
    await expect.poll(pending, { timeout: 20_000 }).toBeDefined();
    expect(found(await get("/v1/approvals", OPERATOR))).toEqual([]);
    expect(found(await get("/v1/approvals", ADMIN))).not.toEqual([]);
    const to = `/v1/plans/${pays}/approvals/${(await pending())?.approvalId}`;
    const unseen = await post(to, { decision: "approve" }, OPERATOR);
    expect([unseen.status, await unseen.json()]).toMatchObject([403, { code: "redacted_for_role" }]);
    const edits = { ...args, to: "[redacted: email]" };
    const edited = await post(to, { decision: "approve", edits }, OPERATOR);
    expect([edited.status, await edited.json()]).toMatchObject([400, { code: "redacted_value" }]);
    expect((await post(to, { decision: "approve" }, ADMIN)).status).toBe(200);
    await get(`/v1/plans/${pays}/events`, ADMIN);
    expect(await get(`/v1/plans/${pays}`, VIEWER)).toContain(digestOf(PASSWORD));
  });
});

describe("a WebSocket", () => {
  const watch = async (headers: Record<string, string>, as: "events" | "view", id: string) => {
    await using socket = await connectSocket(url, { headers });
    socket.say({ id: "1", type: "watch", planId: id, after: 0, as });
    await socket.hear((message) =>
      as === "events"
        ? /plan\.ended/.test(JSON.stringify(message))
        : JSON.stringify(message).includes('"ended":true') ||
          JSON.stringify(message).includes('[["ended"],true]'),
    );
    return socket.told;
  };

  it("sends events and views without what is hidden to a viewer, and with it to an admin", async () => {
    for (const as of ["events", "view"] as const) {
      expect(found(JSON.stringify(await watch(VIEWER, as, planId)))).toEqual([]);
      expect(found(JSON.stringify(await watch(ADMIN, as, planId)))).not.toEqual([]);
    }
  });

  it("sends changes that lead each reader to the view of its role", async () => {
    const steps = [
      { id: "wait", tool: "flow.wait", args: { ms: 300, value: EMAIL } },
      { id: "show", tool: "own.show", args, dependsOn: ["wait"] },
    ];
    const live = await submit({ goal: GOAL, plan: { steps } });
    const [viewers, admins] = await Promise.all([watch(VIEWER, "view", live), watch(ADMIN, "view", live)]);
    expect(found(JSON.stringify(viewers))).toEqual([]);
    for (const [told, key] of [
      [viewers, VIEWER],
      [admins, ADMIN],
    ] as const) {
      expect(told.filter(({ type }) => type === "changes").length).toBeGreaterThan(0);
      const view = told.reduce<unknown>((current, message) => {
        if (message.type === "resync") return message["plan"];
        return message.type === "changes"
          ? applyChanges(current, message["changes"] as JsonChange[])
          : current;
      }, undefined);
      expect(view).toEqual(JSON.parse(await get(`/v1/plans/${live}`, key)));
    }
  });
});

it("an MCP client and the command line see what their role sees", async () => {
  for (const [key, sees] of [
    ["key-of-vera", false],
    ["key-of-adam", true],
  ] as const) {
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    const status = await client.callTool({ name: "plan_status", arguments: { planId, outputsOf: ["show"] } });
    await client.close();
    expect(found(JSON.stringify(status)).length > 0).toBe(sees);
    const env = { PLANWRIGHT_URL: url, PLANWRIGHT_API_KEY: key };
    const shown = await runCli(["show", planId, "--json"], { env });
    expect(shown.out).toContain(planId);
    expect(found(shown.out).length > 0).toBe(sees);
  }
});

describe("afterwards", () => {
  it("no service has logged values that the rules name", () => {
    const names = ["gateway", "planner", "executor", "reflector"] as const;
    const logs = names.flatMap((name) => shared.system.processes(name).map((process) => process.output()));
    expect(logs.join("")).toContain('given {\\"to\\":\\"[redacted: email]\\"');
    expect(found(logs.join(""))).toEqual([]);
  });

  it("no span has it, also with prompts and replies, for any role", async () => {
    const { client } = shared.system;
    // The gateway that receives the spans asks for no key: who reads there is an admin of its only tenant.
    const { planId: own } = await client.submit({
      goal: GOAL,
      plan: {
        steps: [
          { id: "show", tool: "own.show", args },
          { id: "fails", tool: "own.show", args: { ...args, fails: true }, retry: { maxAttempts: 1 } },
        ],
      },
    });
    await client.ended(own);
    const trace = async () => (await client.fetch(`/v1/plans/${own}/trace`)).text();
    await expect.poll(trace, { timeout: 20_000 }).toMatch(/exception\.message[^}]*\[redacted: credentials\]/);
    await expect.poll(trace, { timeout: 20_000 }).toMatch(/gen_ai\.output\.messages/);
    expect(await trace()).toMatch(/gen_ai\.input\.messages[^}]*\[redacted: /);
    expect(found(await trace())).toEqual([]);
  });
});
