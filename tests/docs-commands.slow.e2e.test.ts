// Commands and requests that the documents show, run as a reader runs them: in order, in one folder, on a whole system.
import { createClient } from "@planwright/testkit";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksRunBy, type DocumentBlock } from "./support/documents/block-runners.ts";
import { commandPlace } from "./support/documents/command-place.ts";
import { readDocument } from "./support/documents/read-documents.ts";
import { commandsOf } from "./support/documents/shell-settings.ts";
import { offlineSystem } from "./support/shared-system.ts";

const GOAL = "Which region grew fastest in Q4?";
const NEEDS_APPROVAL = 7;
/** They run until they are stopped, or need the data folder of `npm start`: the test that runs each of them. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  "npx planwright start": "tests/packages.full.test.ts",
  "npx planwright worker": "tests/embed.full.test.ts",
  "npx planwright credentials": "tests/embed.full.test.ts",
};

const place = await commandPlace();
afterAll(() => place[Symbol.asyncDispose]());
const tools = path.join(place.folder, "tools");
const config = (name: string) => path.join(place.folder, name);
const shared = offlineSystem({
  alone: ["executor"],
  services: {
    executor: {
      PATH: place.PATH,
      PLANWRIGHT_TOOLS: tools,
      PLANWRIGHT_AGENTS: config("agents.json"),
      PLANWRIGHT_MCP: config("mcp.json"),
    },
  },
});
const blocks = blocksRunBy("tests/docs-commands.slow.e2e.test.ts");

/** Sends a message at most once, with approval: `{"to": "bob"}`. */
const SEND = `import { defineTool, z } from "@planwright/tools-kit";
export default defineTool({
  name: "demo.send", description: "Send a message.", input: z.strictObject({ to: z.string() }), output: z.object({ to: z.string() }),
  risk: "high", effect: "once", timeoutMs: 5_000, run: async ({ to }) => ({ to }),
});
`;

// Before the executor reads them.
await mkdir(tools);
await writeFile(path.join(tools, "send.ts"), SEND);
await writeFile(path.join(tools, "order.ts"), titled("docs/tutorial.md", "tools/order.ts"));
for (const { title, code } of blocks.filter((block) => block.title !== ""))
  await writeFile(config(title), code);

/** What the documents' placeholders stand for: a plan that has succeeded, one of its steps, and a plan that waits for approval. */
const ids = { succeeded: "", waiting: "" };

beforeAll(async () => {
  const { client } = shared.system;
  const net = { id: "net", tool: "math.evaluate", args: { expression: "120 + 80" } };
  const plan = { steps: [net], answerFrom: "net" };
  await writeFile(config("plan.json"), JSON.stringify(plan));
  const submit = async (body: object) => (await client.submit({ goal: GOAL, ...body })).planId;
  [ids.succeeded, ids.waiting] = await Promise.all([submit({}), submit({ plan, approval: { plan: true } })]);
  await client.ended(ids.succeeded);
});

const environment = (): Record<string, string> => ({
  PLANWRIGHT_URL: shared.system.url,
  PLANWRIGHT_CONFIG: place.folder,
  PLANWRIGHT_DATA: config("data"),
  NATS_URL: shared.system.nats.url,
  BROWSER: "true",
  NO_COLOR: "1",
});

/** Runs a command with values for its placeholders. */
async function run(command: string, values: Readonly<Record<string, string>> = {}, env = environment()) {
  const filled = Object.entries({
    ...values,
    "http://127.0.0.1:8080": shared.system.url,
    "plan.json": config("plan.json"),
    "audit.ndjson": config("audit.ndjson"),
  }).reduce(
    (text, [placeholder, value]) =>
      text.replaceAll(new RegExp(`(?<![\\w-])${RegExp.escape(placeholder)}(?!\\w)`, "g"), value),
    command,
  );
  return { command: filled, ...(await place.run(filled, env)) };
}

/** Runs every command of blocks in order. @returns What went wrong. */
async function faultsOf(of: readonly DocumentBlock[], values: Readonly<Record<string, string>>) {
  const faults: object[] = [];
  for (const written of of.flatMap(({ code }) => commandsOf(code))) {
    if (Object.keys(RUN_ELSEWHERE).some((start) => written.startsWith(start))) continue;
    const own = written.includes("approve ID") ? { ...values, ID: ids.waiting } : values;
    const result = await run(written, own);
    // An order needs approval, as the page says, and no one is at the terminal.
    if (result.code !== (written.includes("stock.order") ? NEEDS_APPROVAL : 0)) faults.push(result);
  }
  return faults;
}

const on = (...files: string[]) => blocks.filter(({ file }) => files.includes(file));
const isShell = ({ code }: DocumentBlock) => /^(?:npx planwright|curl|echo) /.test(code.trim());
const OWN = ["docs/audit.md", "docs/backup.md", "docs/cluster.md", "docs/keys-and-roles.md"];
const plain = Map.groupBy(
  blocks.filter((block) => isShell(block) && !OWN.includes(block.file)),
  ({ file }) => file,
);

it("leaves commands only to tests that exist", () => {
  expect(Object.values(RUN_ELSEWHERE).filter((test) => !existsSync(test))).toEqual([]);
});

describe("commands", () => {
  it.each([...plain].map(([file, of]) => ({ file, of })))("of $file succeed", async ({ of }) => {
    const [step] = (await shared.system.client.view(ids.succeeded)).steps;
    const values = {
      ID: ids.succeeded,
      PLAN: ids.succeeded,
      STEP: step?.id ?? "",
      JSON: '\'{"source":"sales","sql":"SELECT 1"}\'',
    };
    expect(await faultsOf(of, values)).toEqual([]);
  });

  it("back up the system, and restore it into another folder", async () => {
    const values = {
      "/var/backups/planwright": config("backups"),
      "/var/lib/planwright": shared.system.data,
      "/var/lib/planwright-new": config("restored"),
    };
    const { NATS_URL: _restoresInto, ...withoutServer } = environment();
    const commands = on("docs/backup.md").flatMap(({ code }) => commandsOf(code));
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const env = command.includes(" restore ") ? withoutServer : environment();
      expect(await run(command, values, env)).toMatchObject({
        code: 0,
        printed: expect.stringMatching(/backed up|restored/),
      });
    }
  });

  it("refuse replicas that there are no servers for, as the page shows", async () => {
    const [command, sample] = on("docs/cluster.md").map(({ code }) => code.trim());
    const { code, printed } = await run(command ?? "");
    expect(code).not.toBe(0);
    const [, start = "", end = ""] = /^(.+?, and ).*(: start the others.*)$/.exec(sample ?? "") ?? [];
    expect(printed).toContain(start.replaceAll("5", "3"));
    expect(printed).toMatch(new RegExp(RegExp.escape(end).replace(/\d$/, "\\d")));
  });
});

it("the demo model refuses a goal as the page shows", async () => {
  const [sample] = on("docs/demo-model.md");
  const [, word = ""] = /“(\w+)”/.exec(sample?.code ?? "") ?? [];
  const { client } = shared.system;
  const { planId } = await client.submit({ goal: `How many ${word} orders are there?` });
  const { answer } = await client.ended(planId);
  expect(answer).toMatchObject({
    status: "unsupported_intent",
    text: expect.stringContaining(sample?.code.trim() ?? ""),
  });
});

describe("requests", () => {
  it("decide an approval, re-run a plan, fork it and rate it", async () => {
    const { client } = shared.system;
    const steps = [{ id: "send", tool: "demo.send", args: { to: "ann" } }];
    const { planId } = await client.submit({ goal: "send it", plan: { steps } });
    await expect.poll(async () => (await client.view(planId)).status).toBe("awaiting-approval");
    const approvalId = (await client.view(planId)).approvals[0]?.approvalId ?? "";
    for (const { code } of on("docs/effects-and-approvals.md", "docs/rerun-and-history.md")) {
      const [, method = "", route = "", body = ""] = /^(\w+) (\S+)\n(.+)$/.exec(code.trim()) ?? [];
      const url = route.replace(":planId", planId).replace(":approvalId", approvalId);
      const response = await client.fetch(url, {
        method,
        body,
        headers: { "content-type": "application/json" },
      });
      expect({ route, status: response.status, ok: response.ok }).toMatchObject({ route, ok: true });
      if (!route.includes("approvals")) continue;
      expect((await client.ended(planId)).steps[0]?.output).toMatchObject({ value: { to: "bob" } });
    }
  });
});

describe("keys", () => {
  const admin = "a-key-of-the-first-admin";
  const asAdmin = () => ({ ...environment(), PLANWRIGHT_API_KEY: admin });
  beforeAll(() => shared.system.reconfigure("gateway", { PLANWRIGHT_API_KEYS: `acme/boss@admin:${admin}` }));

  it("are created, listed and revoked, and a role that does not permit a call is refused as the page shows", async () => {
    const [commands, sample] = on("docs/keys-and-roles.md").map(({ code }) => code);
    const env = asAdmin();
    let id = "";
    for (const command of commandsOf(commands ?? "")) {
      const { code, printed } = await run(command, { ID: id }, env);
      expect({ command, code, printed }).toEqual({ command, code: 0, printed });
      id = /pw_(\w+?)[_.]/.exec(printed)?.[1] ?? id;
    }
    const { printed } = await run("npx planwright keys create viewer --role viewer --json", {}, env);
    const { key = "" } = JSON.parse(printed) as { key?: string };
    const client = createClient(shared.system.url);
    const response = await client.fetch("/v1/plans/none", {
      method: "DELETE",
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await response.json()).toMatchObject({
      code: "role_required",
      detail: expect.stringContaining(sample?.trim() ?? ""),
    });
  });

  it("export and verify the audit log, whose verification prints what the page shows", async () => {
    const [commands, sample] = on("docs/audit.md").map(({ code }) => code);
    let last = "";
    for (const command of commandsOf(commands ?? "")) {
      const { code, printed } = await run(command, {}, asAdmin());
      expect({ command, code, printed }).toEqual({ command, code: 0, printed });
      last = printed;
    }
    expect(last).toMatch(patternOf(sample ?? ""));
  });
});

/** A pattern for output in which numbers and hashes differ: `12`, `9f2c…`. */
function patternOf(sample: string): RegExp {
  const parts = sample
    .trim()
    .split(/([0-9a-f]+…|\d+)/)
    .map((part, index) =>
      index % 2 === 0 ? RegExp.escape(part) : part.endsWith("…") ? "[0-9a-f]+" : "\\d+",
    );
  return new RegExp(parts.join(""));
}

function titled(file: string, title: string): string {
  const found = readDocument(file, readFileSync(file, "utf8")).blocks.find((block) => block.title === title);
  if (found === undefined) throw new Error(`${file} has no block ${title}`);
  return found.code;
}
