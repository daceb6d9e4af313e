// Redaction at the gateway alone: invalid rules prevent its start, and spans from other senders are redacted when shown.
import { PlanId } from "@planwright/plan";
import { createPublish, deadLetterSubject, stepSubject } from "@planwright/shared/bus";
import { startService } from "@planwright/shared/service";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { gatewayService } from "../src/index.ts";
import { connectSocket } from "./support/connect-socket.ts";
import { log, startSystem, TWO_STEPS } from "./support/start-gateway.ts";

const system = await startSystem();
afterAll(() => system[Symbol.asyncDispose]());

const VIEWER = { authorization: "Bearer key-of-vera" };
const ADMIN = { authorization: "Bearer key-of-adam" };

async function fileOf(name: string, rules: unknown): Promise<string> {
  const file = path.join(system.folder, name);
  await writeFile(file, JSON.stringify({ rules }));
  return file;
}

it("does not start with an unusable rule, and reports which and why", async () => {
  const PLANWRIGHT_REDACTION = await fileOf("bad.json", [{ name: "staff", pattern: "(?<=E-)[0-9]+" }]);
  const starting = startService(gatewayService, {
    env: { NATS_URL: system.nats.url, PORT: "0", PLANWRIGHT_DATA: system.folder, PLANWRIGHT_REDACTION },
    signal: new AbortController().signal,
    log,
  });
  await expect(starting).rejects.toThrow(/bad\.json: rules\[0\] \(staff\): pattern: .*no lookaround/);
});

it("hides content of another sender's spans in a trace, and keeps its ids, times and numbers", async () => {
  const PLANWRIGHT_REDACTION = await fileOf("rules.json", [
    { builtIn: "email", shownTo: ["admin"] },
    { name: "credentials", keys: ["password"], shownTo: ["admin"] },
    { name: "digits", pattern: "[0-9]{16}", shownTo: ["admin"] },
  ]);
  await using gateway = await system.gateway({
    env: {
      PLANWRIGHT_REDACTION,
      PLANWRIGHT_API_KEYS: "acme/vera@viewer:key-of-vera,acme/adam@admin:key-of-adam",
    },
  });
  const { planId, traceId } = await gateway.submit(TWO_STEPS, ADMIN);
  const { trace } = (await (await gateway.get(`/v1/plans/${planId}`, ADMIN)).json()) as {
    trace: { spanId: string };
  };
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const span = {
    traceId,
    spanId: "1".repeat(16),
    parentSpanId: trace.spanId,
    name: "mail to ann@example.com",
    kind: 1,
    startTimeUnixNano: "1700000000000000001",
    endTimeUnixNano: "1700000000000000009",
    attributes: [text("user.password", "hunter2"), text("to", "ann@example.com"), text("plan.id", planId)],
    events: [
      {
        name: "exception",
        timeUnixNano: "1700000000000000005",
        attributes: [text("exception.message", '{"password":"hunter2"}')],
      },
    ],
    status: { code: 2, message: "no such mailbox: ann@example.com" },
  };
  const sent = await gateway.post(
    "/otlp/v1/traces",
    { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: [span] }] }] },
    ADMIN,
  );
  expect(sent.status).toBe(200);
  const seen = async (key: Record<string, string>): Promise<unknown> =>
    (await gateway.get(`/v1/plans/${planId}/trace`, key)).json();
  expect(await seen(VIEWER)).toMatchObject({
    traceId,
    spans: [
      {
        spanId: "1".repeat(16),
        parentSpanId: trace.spanId,
        name: "mail to [redacted: email]",
        startTimeUnixNano: "1700000000000000001",
        attributes: {
          "user.password": "[redacted: credentials]",
          to: "[redacted: email]",
          "plan.id": planId,
        },
        events: [{ attributes: { "exception.message": '{"password":"[redacted: credentials]"}' } }],
        statusMessage: "no such mailbox: [redacted: email]",
      },
    ],
  });
  expect(await seen(ADMIN)).toMatchObject({
    spans: [{ name: span.name, statusMessage: span.status.message }],
  });
});

it("hides values in dead letters, and in the causes that group them", async () => {
  const PLANWRIGHT_REDACTION = await fileOf("dead.json", [
    { builtIn: "email", shownTo: ["admin"] },
    { name: "credentials", keys: ["password"], shownTo: ["admin"] },
    { name: "staff", pattern: "E-[0-9]{5} [A-Z][a-z]+", shownTo: ["admin"] },
  ]);
  const keys = "acme/vera@viewer:key-of-vera,acme/adam@admin:key-of-adam";
  await using gateway = await system.gateway({
    env: { PLANWRIGHT_REDACTION, PLANWRIGHT_API_KEYS: keys },
    folder: "dead",
  });
  const planId = PlanId.parse((await gateway.submit(TWO_STEPS, ADMIN)).planId);
  const hidden = ["ann42", "bob.lee", "hunter2", "12345 Miller", "Miller", "carl"];
  const causes = [
    "no mailbox ann42@example.com",
    // Without its digits or its end, neither would match as an address.
    `${"x".repeat(290)} bob.lee@customers.example`,
    'refused {"password":"hunter2"} of E-12345 Miller',
  ];
  const payloads = ['{"args":{"to":"carl@example.com","password":"hunter2"}}', "no JSON of carl@example.com"];
  for (const [at, cause] of causes.entries()) {
    const step = { planId, stepId: "a", item: 0, attempt: at + 1, sentAfter: 0, pool: "default" };
    const letter = { cause, deliveries: 5, payload: payloads[at % 2] };
    await createPublish(system.bus)(deadLetterSubject(stepSubject(step)), letter, { id: `dead ${at}` });
  }
  const seenBy = async (key: Record<string, string>): Promise<string> => {
    const list = await (await gateway.get("/v1/dead-letters", key)).text();
    const { deadLetters } = JSON.parse(list) as { deadLetters: { id: string }[] };
    const each = deadLetters.map(async ({ id }) => (await gateway.get(`/v1/dead-letters/${id}`, key)).text());
    return [list, ...(await Promise.all(each))].join("\n");
  };
  const [viewed, whole] = [await seenBy(VIEWER), await seenBy(ADMIN)];
  expect(hidden.filter((text) => viewed.includes(text))).toEqual([]);
  expect(viewed).toContain("no mailbox [redacted: email]");
  for (const text of hidden) expect(whole).toContain(text);
  // The groups are the same for every role: a group's name must not help to guess hidden values.
  const groupsOf = (seen: string): unknown =>
    (JSON.parse(seen.split("\n")[0] ?? "") as { groups: { group: string }[] }).groups.map(
      ({ group }) => group,
    );
  expect(groupsOf(viewed)).toEqual(groupsOf(whole));
});

it("does not sort a list by hidden values, for any role, nor send them with changes of the list", async () => {
  const PLANWRIGHT_REDACTION = await fileOf("order.json", [{ builtIn: "email", shownTo: ["admin"] }]);
  await using gateway = await system.gateway({
    folder: "order",
    env: {
      PLANWRIGHT_REDACTION,
      PLANWRIGHT_API_KEYS: "acme/vera@viewer:key-of-vera,acme/adam@admin:key-of-adam",
    },
  });
  await using watcher = await connectSocket(gateway.url, { headers: VIEWER });
  watcher.say({ id: "l", type: "watch-plans" });
  await watcher.hear(({ id }) => id === "l");
  for (const name of ["zoe", "ann", "max"])
    await gateway.submit({ goal: `mail ${name}@example.com`, plan: TWO_STEPS.plan }, ADMIN);
  const goals = async (headers: Record<string, string>) => {
    const response = await gateway.get("/v1/plans?sort=goal&order=asc&q=mail", headers);
    const { plans } = (await response.json()) as { plans: { goal: string }[] };
    return plans.map(({ goal }) => goal);
  };
  await expect.poll(async () => (await goals(ADMIN)).length).toBe(3);
  expect(await goals(ADMIN)).toEqual(["zoe", "ann", "max"].map((name) => `mail ${name}@example.com`));
  const page = await gateway.get("/v1/plans?sort=goal&order=asc&limit=1", VIEWER);
  const { nextCursor, plans } = (await page.json()) as { nextCursor: string; plans: { goal: string }[] };
  expect(plans[0]?.goal).not.toContain("@example.com");
  const next = await gateway.get(`/v1/plans?sort=goal&order=asc&limit=1&cursor=${nextCursor}`, VIEWER);
  expect(next.status).toBe(200);
  const pushed = await watcher.hear(({ type }) => type === "plans");
  expect(JSON.stringify(pushed)).toMatch(/"goal":"mail [^"]+"/);
  expect(JSON.stringify(pushed)).not.toContain("@example.com");
  expect(Buffer.from(nextCursor, "base64url").toString()).not.toContain("example.com");
});
