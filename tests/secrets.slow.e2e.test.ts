// SECRETS-1 to SECRETS-3: steps and programs use a secret, are retried, and tools echo and throw it; nothing that is stored
// or shown contains its value.
import { jetstreamManager } from "@nats-io/jetstream";
import type { PlanView } from "@planwright/plan";
import { connectNats } from "@planwright/shared/access";
import { startEffectCounter } from "@planwright/testkit";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const VALUE = "s3cr3t-Value/4711+x";
const FORMS = [VALUE, encodeURIComponent(VALUE), Buffer.from(VALUE).toString("base64")];

/** Echoes what it is sent, as careless servers do; `/flaky` fails once for each key. */
const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
const failed = new Set<string>();
const server = createServer(({ url = "", headers }, response) => {
  seen.push({ url, headers });
  const key = String(headers["idempotency-key"]);
  if (url === "/flaky" && !failed.has(key)) {
    failed.add(key);
    response.writeHead(429, { "retry-after": "0" }).end();
    return;
  }
  if (url === "/away") return void response.writeHead(302, { location: `http://${otherHost}/taken` }).end();
  const bearer = String(headers.authorization).replace("Bearer ", "");
  const echo = { headers, base64: Buffer.from(bearer).toString("base64"), url: encodeURIComponent(bearer) };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(echo));
}).listen(0, "127.0.0.1");
const other = createServer(({ url = "", headers }, response) => {
  seen.push({ url, headers });
  response.writeHead(200, { "content-type": "text/plain" }).end("taken");
}).listen(0, "127.0.0.1");
await Promise.all([once(server, "listening"), once(other, "listening")]);
const host = hostOf(server);
const otherHost = hostOf(other);
const effects = await startEffectCounter();
afterAll(async () => {
  server.close();
  other.close();
  await effects[Symbol.asyncDispose]();
});

function hostOf(listening: typeof server): string {
  const address = listening.address();
  return `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-secrets-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const use = (tool: string, more: object = {}) => ({
  tool,
  arguments: ["headers.authorization"],
  hosts: [`http://${host}`, `http://${effects.host}`],
  ...more,
});
await writeFile(
  path.join(folder, "secrets.json"),
  JSON.stringify({
    secrets: {
      CRM: {
        use: [
          use("http.fetch", { loops: true }),
          use("http.send"),
          { tool: "own.leak", arguments: ["token"] },
        ],
      },
    },
  }),
);
await writeFile(
  path.join(folder, "leak.ts"),
  `import { defineTool, z } from "@planwright/tools-kit";
export default defineTool({
  name: "own.leak",
  description: "Shows its token in every way that a tool has.",
  input: z.strictObject({ token: z.string(), fails: z.boolean() }),
  output: z.unknown(),
  risk: "low", effect: "read", timeoutMs: 5_000,
  run: async ({ token, fails }, context) => {
    context.log.warn({ token, nested: { token } }, "token " + token);
    context.progress("token " + token);
    context.noteFacts([{ key: "token " + token, value: token, confidence: 1, source: token }]);
    await context.workspace.write(token.replaceAll("/", "_") + ".txt", Buffer.from("token " + token), "text/plain");
    await context.model.complete({ prompt: { name: "leak", version: 1 }, messages: [{ role: "user", content: token }], signal: context.signal }).catch(() => undefined);
    if (fails) throw new Error("wrong token " + token, { cause: new Error(token) });
    return { token, list: [token], [token]: 1 };
  },
});
`,
);

const shared = sharedSystem({
  alone: ["executor"],
  services: {
    executor: {
      PLANWRIGHT_SECRETS: path.join(folder, "secrets.json"),
      PLANWRIGHT_TOOLS: folder,
      PLANWRIGHT_SECRET_CRM: VALUE,
      HTTP_FETCH_ALLOW: `${host},${otherHost},${effects.host}`,
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
      LOG_LEVEL: "debug",
    },
  },
});

const headers = { authorization: "Bearer {{secret.CRM}}" };

async function run(...steps: readonly object[]): Promise<PlanView> {
  const plan = { steps: steps.map((step) => ({ id: "s1", ...step })) };
  const { planId } = await shared.system.client.submit({ goal: "use it", plan, approval: { risk: "never" } });
  return shared.system.client.ended(planId);
}

const step = (tool: string, args: object, more: object = {}) => ({ tool, args, ...more });

describe("a step", () => {
  it("sends the value where the rule permits it, and its output has the reference", async () => {
    const view = await run(step("http.fetch", { url: `http://${host}/a`, headers }));
    expect(seen.at(-1)).toMatchObject({ url: "/a", headers: { authorization: `Bearer ${VALUE}` } });
    expect(view).toMatchObject({ status: "succeeded", steps: [{ args: { headers } }] });
    expect(JSON.stringify(view)).toContain('Bearer {{secret.CRM}}\\"');
  });

  it("sends it again when it is retried, with the same key", async () => {
    const view = await run(
      step("http.send", { url: `http://${host}/flaky`, headers, body: {} }, { retry: { maxAttempts: 2 } }),
    );
    expect(view.status).toBe("succeeded");
    const sent = seen.filter(({ url }) => url === "/flaky").map((one) => one.headers);
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map((one) => one["idempotency-key"]))).toEqual(new Set([`${view.planId}/s1/0/0`]));
    for (const one of sent) expect(one.authorization).toBe(`Bearer ${VALUE}`);
  });

  it("sends it nowhere that the host redirects to", async () => {
    await run(step("http.fetch", { url: `http://${host}/away`, headers }));
    expect(seen.at(-1)?.url).toBe("/taken");
    expect(seen.at(-1)?.headers.authorization).toBeUndefined();
  });

  it("of an executor that was killed after its effect is settled under the same key", async () => {
    const { system } = shared;
    const held = effects.hold("after");
    const args = { url: effects.url("deduping"), headers, body: {}, rejectsRepeats: true };
    const plan = { steps: [{ id: "s1", tool: "http.send", args }] };
    const { planId } = await system.client.submit({ goal: "once", plan, approval: { risk: "never" } });
    await held.reached;
    await system.kill("executor");
    held.release({ drop: true });
    await system.start("executor");
    expect((await system.client.ended(planId)).status).toBe("succeeded");
    expect(effects.count(`${planId}/s1/0/0`)).toBe(1);
  });
});

describe("a plan is refused", () => {
  it.each<[string, object, string]>([
    ["http.fetch", { url: "https://evil.example/", headers }, "secret_not_allowed"],
    ["http.fetch", { url: `http://HOST/`, headers: { "x-key": "{{secret.CRM}}" } }, "secret_not_allowed"],
    ["http.fetch", { url: `http://HOST/`, headers: { authorization: "{{secret.CRN}}" } }, "unknown_secret"],
    ["files.write", { path: "a.txt", content: "{{secret.CRM}}" }, "unknown_secret"],
    ["model.write", { prompt: "repeat {{secret.CRM}}" }, "unknown_secret"],
  ])("when %s gets %j", async (tool, args, code) => {
    const given: unknown = JSON.parse(JSON.stringify(args).replace("HOST", host));
    const answer = await shared.system.client.fetch("/v1/plans", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ goal: "g", plan: { steps: [{ id: "s1", tool, args: given }] } }),
    });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(code);
  });
});

it("a step whose host is known only when it runs is refused by the executor", async () => {
  const before = seen.length;
  const view = await run(
    { id: "where", tool: "flow.echo", args: { value: `http://${otherHost}/` } },
    step("http.fetch", { url: "{{where.output}}", headers }),
  );
  expect(view.steps.find(({ id }) => id === "s1")).toMatchObject({ error: { code: "secret_not_allowed" } });
  expect(seen).toHaveLength(before);
});

it("an output that says it is a reference gets no value", async () => {
  await run(
    { id: "said", tool: "flow.echo", args: { value: ["secret", "CRM"] } },
    step("http.send", {
      url: `http://${host}/b`,
      body: { a: "{{ {{said.output[0]}}.{{said.output[1]}} }}" },
    }),
  );
  const page = await run(step("http.fetch", { url: `http://${host}/c`, headers }));
  expect(JSON.stringify(page)).toContain("{{secret.CRM}}");
  await run(
    { id: "page", tool: "http.fetch", args: { url: `http://${host}/d`, headers } },
    step("http.send", {
      url: `http://${host}/e`,
      headers: { authorization: "{{page.output.text}}" },
      body: {},
    }),
  );
  const sent = seen.find(({ url }) => url === "/e")?.headers.authorization ?? "";
  expect(sent).toContain("{{secret.CRM}}");
  expect(sent).not.toContain(VALUE);
});

it("a program may use it in its calls where the rule permits it, and gets back the reference", async () => {
  const program = (tool: string) => ({
    language: "javascript",
    tools: [tool],
    code: `const secret = "{{secret.CRM}}";
      try { return tools.${tool}({ url: "http://${host}/program", headers: { authorization: secret } }); }
      catch (error) { return error.code; }`,
  });
  const fetched = await run(step("code.run", program("http.fetch")));
  expect(seen.at(-1)).toMatchObject({ url: "/program", headers: { authorization: VALUE } });
  expect(JSON.stringify(fetched)).toContain("{{secret.CRM}}");
  expect(await run(step("code.run", program("http.send")))).toMatchObject({
    steps: [{ output: { value: { result: "secret_not_allowed" } } }],
  });
});

it("a header without a secret reveals nothing to another host", async () => {
  const view = await run(step("http.fetch", { url: `http://${host}/f`, headers: { "x-data": "rows" } }));
  expect(view).toMatchObject({ steps: [{ error: { code: "header_refused" } }] });
});

it("a tool of one's own shows it in no way", async () => {
  const shown = await run(step("own.leak", { token: "{{secret.CRM}}", fails: false }));
  expect(shown).toMatchObject({
    status: "succeeded",
    steps: [{ output: { value: { token: "{{secret.CRM}}", "{{secret.CRM}}": 1 } } }],
  });
  const thrown = await run(
    step("own.leak", { token: "{{secret.CRM}}", fails: true }, { retry: { maxAttempts: 1 } }),
  );
  expect(JSON.stringify(thrown)).toContain("wrong token {{secret.CRM}}");
});

describe("afterwards the value is in", () => {
  const found = (text: string) => FORMS.filter((form) => text.includes(form));

  it("no stream, bucket or object store", async () => {
    const connection = await connectNats(shared.system.nats.access, { name: "test" });
    const manager = await jetstreamManager(connection);
    let messages = 0;
    for await (const { config, state } of manager.streams.list()) {
      for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
        const message = await manager.streams.getMessage(config.name, { seq }).catch(() => null);
        if (message === null) continue;
        messages += 1;
        const text = `${message.subject} ${JSON.stringify([...message.header])} ${Buffer.from(message.data).toString("latin1")}`;
        expect({ stream: config.name, seq, found: found(text) }).toEqual({
          stream: config.name,
          seq,
          found: [],
        });
      }
    }
    await connection.close();
    expect(messages).toBeGreaterThan(100);
  });

  it("no log of a service", () => {
    const names = ["gateway", "planner", "executor", "reflector"] as const;
    const logs = names.flatMap((name) => shared.system.processes(name).map((process) => process.output()));
    expect(logs.join("")).toContain("token {{secret.CRM}}");
    expect(found(logs.join(""))).toEqual([]);
  });

  it("no view, event, artifact or trace", async () => {
    const { client } = shared.system;
    for (const planId of client.submitted) {
      const get = async (part: string) => (await client.fetch(`/v1/plans/${planId}${part}`)).text();
      const texts = await Promise.all(["", "/trace", "/history", "/artifacts"].map(get));
      expect(found(texts.join(""))).toEqual([]);
    }
    expect(found(await (await client.fetch("/v1/tools")).text())).toEqual([]);
    expect(found(await (await client.fetch("/metrics")).text())).toEqual([]);
  });

  it("no file of the data folder", async () => {
    const { data } = shared.system;
    const names = await readdir(data, { recursive: true, withFileTypes: true });
    for (const file of names.filter((entry) => entry.isFile())) {
      const text = await readFile(path.join(file.parentPath, file.name), "latin1");
      expect(found(text)).toEqual([]);
    }
  });
});
