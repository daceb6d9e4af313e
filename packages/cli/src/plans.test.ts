// Commands about plans against a gateway that knows three of them: in a pipe, on a terminal, and as JSON.
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "@planwright/shared/version";
import { runCli } from "./testing/run-cli.ts";

const ESCAPE = "\u001b[2J\u202e";
const MINUTE_MS = 60_000;
const submittedAt = new Date(Date.now() - 3.5 * MINUTE_MS).toISOString();
const endedAt = new Date(Date.parse(submittedAt) + 12_300).toISOString();
const USAGE = { modelCalls: 1, inputTokens: 10, outputTokens: 5, costUsd: 0.02 };

const summary = (planId: string, goal: string, more: object = {}) => ({
  planId,
  goal,
  status: "succeeded",
  ended: true,
  submittedAt,
  progress: { done: 2, total: 2, percent: 100 },
  ...more,
});
const FIRST = "Ka-eDYid5pkZQBa_2k_WRP";
const SECOND = "Ka-eXw3d5pkZQBa_2k_WRP";
const CHILD = "mmmmDYid5pkZQBa_2k_WRP";
const PLANS = [
  summary(FIRST, `Which region grew fastest in Q4, and by how much did it grow?${ESCAPE}`),
  summary(SECOND, "Which region grew fastest in Q3?"),
  summary(CHILD, "二つの地域を比べる", { parent: FIRST, status: "failed" }),
];

const step = (id: string, more: object) => ({
  id,
  description: `Step ${id}`,
  tool: "flow.echo",
  args: {},
  dependsOn: [],
  status: "succeeded",
  attempt: 1,
  failedAttempts: [],
  durationMs: 40,
  ...more,
});
const view = ({ planId, goal }: (typeof PLANS)[number], more: object = {}) => ({
  planId,
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  goal,
  status: "succeeded",
  ended: true,
  strategy: "parallel",
  constraints: [],
  submittedAt,
  endedAt,
  seq: 4,
  progress: { done: 2, total: 2, percent: 100, etaMs: null },
  criticalPath: { stepIds: [], durationMs: 40 },
  approvals: [],
  effects: [],
  revisions: [],
  revision: 0,
  usage: USAGE,
  steps: [
    step("fetch", {
      args: { region: "North" },
      output: { value: { rows: [{ region: "North", sold: 10 }], n: 1 } },
    }),
    step("write", {
      args: { prompt: "about {{fetch.output.n}} rows" },
      dependsOn: ["fetch"],
      output: { value: { text: `**done**${ESCAPE}` } },
    }),
  ],
  answer: { status: "success", text: `# Result\n\n- **North**${ESCAPE}\n\n| a | b |\n|---|---|\n| 1 | 2 |` },
  ...more,
});
const [first, second, child] = PLANS as [(typeof PLANS)[0], (typeof PLANS)[0], (typeof PLANS)[0]];
const run = { stepId: "fetch", item: 0, workerId: "w-1" };
const EVENTS = [
  { type: "goal.submitted", data: { goal: `go${ESCAPE}` } },
  { type: "step.started", data: { ...run, attempt: 1, delivery: 1 } },
  {
    type: "step.failed",
    data: {
      ...run,
      attempt: 1,
      startedAt: submittedAt,
      durationMs: 5,
      retryable: true,
      error: { code: "timeout", message: `too slow${ESCAPE}` },
    },
  },
  {
    type: "step.succeeded",
    data: { ...run, attempt: 2, startedAt: submittedAt, durationMs: 40, artifacts: [] },
  },
].map(({ type, data }, index) => ({
  seq: index + 1,
  event: { id: `e${index}`, type, planId: FIRST, at: submittedAt, data },
}));

const bodies: unknown[] = [];

function answerTo(asked: URL): unknown {
  const { pathname, searchParams } = asked;
  const [, plan = "", rest = ""] = /^\/v1\/plans\/([\w-]+)(.*)$/.exec(pathname) ?? [];
  if (pathname === "/v1/plans") {
    return { plans: PLANS.filter(({ planId }) => planId.startsWith(searchParams.get("id") ?? "")) };
  }
  if (rest === "/events") return { planId: plan, events: EVENTS.slice(Number(searchParams.get("after"))) };
  if (rest === "/submission")
    return { goal: first.goal, constraints: ["Q4 only"], budget: { usd: 1, seconds: 60 } };
  if (rest === "/pause") return { planId: plan, status: "paused" };
  if (plan === FIRST) return view(first);
  if (plan === SECOND) return view(second, { steps: [step("fetch", { args: { region: "South" } })] });
  if (plan === CHILD) return view(child, { steps: [] });
  return undefined;
}

let server: http.Server;
let url: string;
const folder = mkdtempSync(path.join(os.tmpdir(), "planwright-cli-plans-"));
beforeAll(async () => {
  server = http.createServer((request, response) => {
    const asked = new URL(request.url ?? "", "http://x");
    if (request.method === "POST" && asked.pathname === "/v1/plans") {
      let sent = "";
      request.on("data", (chunk) => (sent += String(chunk)));
      request.on("end", () => {
        bodies.push(JSON.parse(sent));
        response.writeHead(202).end(JSON.stringify({ planId: "p", traceId: "t" }));
      });
      return;
    }
    const body = answerTo(asked);
    const refusal = {
      title: "Plan not found",
      detail: "there is no such plan",
      code: "plan_not_found",
      status: 404,
    };
    response
      .writeHead(body === undefined ? 404 : 200, { "planwright-version": VERSION })
      .end(JSON.stringify(body ?? refusal));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const env = () => ({ PLANWRIGHT_URL: url, PLANWRIGHT_CONFIG: folder });
const piped = (...args: string[]) => runCli(args, { env: env() });
const shown = (...args: string[]) => runCli(args, { env: env(), columns: 70 });

describe("list", () => {
  it("shows short ids, relative times and as much of the goal as fits on a terminal", async () => {
    expect((await shown("list")).out).toBe(
      [
        "PLAN      STATUS     STEPS  SUBMITTED  PARENT    GOAL",
        "Ka-eDYid  succeeded  2/2    3m ago               Which region grew fa…",
        "Ka-eXw3d  succeeded  2/2    3m ago               Which region grew fa…",
        "mmmmDYid  failed     2/2    3m ago     Ka-eDYid  二つの地域を比べる",
        "",
      ].join("\n"),
    );
  });

  it("prints whole ids, ISO times and whole goals in a pipe", async () => {
    const { out } = await piped("list");
    expect(out).toContain(`${SECOND}  succeeded  2/2    ${submittedAt}`);
    expect(out).toContain("and by how much did it grow?");
  });
});

describe("a short id", () => {
  it("names the only plan that begins with it, in every command", async () => {
    expect(await piped("pause", "Ka-eD", "--json")).toMatchObject({
      code: 0,
      out: `{"planId":"${FIRST}","status":"paused"}\n`,
    });
    expect((await piped("show", "mmmm", "--json=planId")).out).toBe(`{"planId":"${CHILD}"}\n`);
  });

  it("is refused when several plans begin with it, and lists them", async () => {
    const { code, out, err } = await piped("show", "Ka-e");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^planwright: "Ka-e" is the beginning of several plan IDs: type more of it\n/);
    expect(err).toContain(`  ${SECOND}  Which region grew fastest in Q3?`);
  });

  it("is unknown when it is too short or no plan begins with it", async () => {
    for (const id of ["Ka-", "nope"]) {
      const { code, err } = await piped("show", id);
      expect(code).toBe(5);
      expect(err).toContain("planwright list");
    }
  });
});

describe("--json with fields", () => {
  it("prints only these fields, in this order, and null for those that a plan lacks", async () => {
    const { out } = await piped("list", "--json", "parent,planId");
    expect(out).toBe(
      `[{"parent":null,"planId":"${FIRST}"},{"parent":null,"planId":"${SECOND}"},{"parent":"${FIRST}","planId":"${CHILD}"}]\n`,
    );
  });

  it("refuses an unknown field before it does anything, and lists the fields", async () => {
    const { code, out, err } = await piped("submit", "--json", "planId,trace", "do it");
    expect([code, out, bodies.length]).toEqual([2, "", 0]);
    expect(err).toContain('submit has no JSON field "trace"');
    expect(err).toContain("Fields: planId, traceId");
  });

  it("does not take the command or its argument for fields", async () => {
    const all = await piped("show", "--json", FIRST);
    expect(JSON.parse(all.out)).toMatchObject({ planId: FIRST, traceId: expect.any(String) });
    expect((await piped("--json", "show", FIRST)).out).toBe(all.out);
    expect((await piped("show", "--json", "status", FIRST)).out).toBe('{"status":"succeeded"}\n');
  });
});

it("shows the Markdown of an answer rendered on a terminal, and unchanged in a pipe", async () => {
  const onTerminal = await shown("show", FIRST);
  expect(onTerminal.out).toMatch(/plan Ka-eDYid {2}submitted 3m ago {2}took 12\.3 s {2}\$0\.0200/);
  expect(onTerminal.out).toContain("\nResult\n\n• North [2J\n\na    b\n───  ───\n1    2\n");
  const { out } = await piped("show", FIRST);
  expect(out).toContain("\n# Result\n\n- **North** [2J\n");
  expect(out).toContain(`submitted ${submittedAt}`);
});

it("shows a step's input with resolved references, its output, and each attempt", async () => {
  const write = (await piped("step", FIRST, "write")).out;
  expect(write).toContain("tool flow.echo  after fetch\n");
  expect(write).toContain("\nInput\nprompt: about 1 rows  from fetch.output.n\n");
  expect(write).toContain("\nOutput\n**done** [2J\n");
  const fetched = (await shown("step", "Ka-eD", "fetch")).out;
  expect(fetched).toContain("\nOutput\nregion  sold\nNorth   10\n");
  expect(fetched).toMatch(/^1 +failed +3m ago +5 ms +w-1 +timeout: too slow/m);
  expect(fetched).toMatch(/^2 +succeeded +3m ago +40 ms +w-1$/m);
  const json: unknown = JSON.parse((await piped("step", FIRST, "fetch", "--json", "id,attempts")).out);
  expect(json).toMatchObject({ id: "fetch", attempts: [{ outcome: "failed" }, { outcome: "succeeded" }] });
  expect(await piped("step", FIRST, "fetsh")).toMatchObject({
    code: 5,
    err: expect.stringMatching(/has no step "fetsh"; did you mean "fetch"\?\nSteps: fetch, write\n/),
  });
});

it("prints the events of a plan, one per line or as JSON, and only those of a step", async () => {
  const lines = (await piped("logs", FIRST)).out.trimEnd().split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe(`${submittedAt}    1  goal.submitted      go [2J`);
  expect(lines[2]).toContain("step.failed         fetch: too slow");
  expect((await shown("logs", FIRST)).out).toMatch(/^\d\d:\d\d:\d\d {4}1 {2}goal\.submitted/);
  const json = (await piped("logs", FIRST, "--step", "fetch", "--after", "2", "--json")).out
    .trimEnd()
    .split("\n");
  expect(json.map((line) => JSON.parse(line) as unknown)).toEqual(EVENTS.slice(2));
});

it("compares two plans: goal, steps, metrics and answer", async () => {
  const { code, out } = await shown("diff", "Ka-eD", "Ka-eX");
  expect(code).toBe(0);
  expect(out).toMatch(/^- Ka-eDYid {2}succeeded {2}3m ago/m);
  expect(out).toContain("Steps: 1 changed, 1 removed, 0 added, 0 the same");
  expect(out).toContain("    args.region:\n      - North\n      + South\n");
  expect(out).toContain("- write  flow.echo  Step write\n");
  expect(out).toMatch(/^Steps +2 +1$/m);
  expect(out).toContain("Answer: the same");
  const json: unknown = JSON.parse((await piped("diff", FIRST, SECOND, "--json", "counts")).out);
  expect(json).toEqual({ counts: { changed: 1, "only-left": 1, "only-right": 0, same: 0 } });
});

it("opens the page of a plan in the browser, or prints its address", async () => {
  const address = `${url}/plans/${FIRST}?step=fetch`;
  expect((await piped("open", "Ka-eD", "fetch", "--print")).out).toBe(`${address}\n`);
  expect((await piped("open", "--json")).out).toBe(`{"url":"${url}/"}\n`);
  expect(await piped("open", "none", "--print")).toMatchObject({ code: 5, out: "" });
  const none = await runCli(["open", "Ka-eD"], { env: { ...env(), PATH: folder } });
  expect(none).toMatchObject({
    code: 1,
    err: expect.stringContaining(`open ${url}/plans/${FIRST} in a browser`),
  });
  const browser = path.join(folder, "browser");
  const opened = path.join(folder, "opened");
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o700 });
  expect(
    await runCli(["open"], { env: { ...env(), BROWSER: browser, PATH: "/usr/bin:/bin" } }),
  ).toMatchObject({ code: 0 });
  await expect.poll(() => readIfThere(opened)).toBe(`${url}/`);
});

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

it("saves a plan's submission as a template, and submits it with other values", async () => {
  const saved = await piped("template", "save", "Ka-eD", "quarter", "--parameter", "quarter=Q4");
  const file = path.join(folder, "templates", "quarter.json");
  expect(saved).toMatchObject({ code: 0, out: `saved ${file}\n` });
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(await piped("template", "save", FIRST, "quarter")).toMatchObject({
    code: 5,
    err: expect.stringContaining("--force"),
  });
  expect(await piped("template", "save", FIRST, "other", "--parameter", "x=nowhere")).toMatchObject({
    code: 2,
  });
  expect((await piped("template")).out).toMatch(
    /^quarter +quarter +\S+Z +Which region grew fastest in \[\[quarter\]\]/m,
  );
  expect((await piped("template", "show", "quarter", "--json", "parameters,savedFrom")).out).toBe(
    `{"parameters":{"quarter":"Q4"},"savedFrom":"${FIRST}"}\n`,
  );
  const submitted = await piped("submit", "--template", "quarter", "--set", "quarter=Q1", "--usd", "2");
  expect([submitted.code, bodies.at(-1)]).toEqual([
    0,
    expect.objectContaining({
      goal: expect.stringContaining("fastest in Q1, and"),
      constraints: ["Q1 only"],
      budget: { usd: 2, seconds: 60 },
    }),
  ]);
  await piped("submit", "--template", "quarter", "another", "goal");
  expect(bodies.at(-1)).toMatchObject({ goal: "another goal", constraints: ["Q4 only"] });
  expect(await piped("submit", "--template", "quarter", "--set", "quartr=Q1")).toMatchObject({
    code: 2,
    err: expect.stringContaining('did you mean "quarter"?'),
  });
  expect(await piped("submit", "--set", "a=b", "goal")).toMatchObject({ code: 2 });
  expect(await piped("submit")).toMatchObject({ code: 2, err: expect.stringContaining("missing goal") });
  expect((await piped("complete", "--", "template", "show", "q")).out).toBe("quarter\t\n");
  expect(await piped("template", "delete", "quarter")).toMatchObject({ code: 0, out: "deleted quarter\n" });
  expect(await piped("template", "delete", "quarter")).toMatchObject({ code: 5 });
  expect(await piped("template", "show", "../x")).toMatchObject({ code: 2 });
  expect((await piped("template", "list", "--json")).out).toBe("[]\n");
});

it("prints no control characters of untrusted text on a terminal", async () => {
  for (const args of [
    ["list"],
    ["show", FIRST],
    ["step", FIRST, "write"],
    ["step", FIRST, "fetch"],
    ["logs", FIRST],
    ["diff", FIRST, SECOND],
  ]) {
    const { out, err } = await shown(...args);
    expect(`${out}${err}`.replaceAll("\n", ""), args.join(" ")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});

it("suggests the nearest command or option, and how the command is used", async () => {
  expect((await piped("lst")).err).toBe(
    "planwright: unknown command 'lst'; did you mean list?\nSee npx planwright --help\n",
  );
  const { err } = await piped("list", "--statsu", "x");
  expect(err).toContain("planwright: unknown option '--statsu'; did you mean --status?\n");
  expect(err).toContain("Usage: npx planwright list [options]\nSee npx planwright help list");
});

it("suggests the nearest command of a group", async () => {
  const wrong = await piped("template", "sav", FIRST, "x");
  expect([wrong.code, wrong.err]).toEqual([
    2,
    'planwright: unknown command "template sav"; did you mean "save"?\nCommands: list, show, save, delete\n',
  ]);
  expect((await piped("keys", "help", "create")).out).toContain("Usage: planwright keys create");
});

it("groups the commands of its help by purpose, with examples", async () => {
  const { out } = await piped("--help");
  for (const group of [
    "Goals and plans:",
    "Approvals:",
    "Data and tools:",
    "System:",
    "Administration:",
    "Shell:",
    "Examples:",
  ])
    expect(out).toContain(`\n${group}\n`);
  expect((await piped("step", "--help")).out).toMatch(/JSON fields:\n {2}planId, id,[\s\S]*Examples:\n/);
});
