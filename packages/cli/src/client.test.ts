// Commands against a gateway that answers correctly, with errors, or not at all.
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "@planwright/shared/version";
import { type CliRun, runCli } from "./testing/run-cli.ts";

const ESCAPE = "\u001b]0;owned\u0007";
const TOOLS = [
  {
    name: "sql.query",
    description: "Run one SELECT. More of it.",
    risk: "low",
    effect: "read",
    pool: "default",
  },
  { name: "own.deploy", description: `Deploys${ESCAPE}.\nTwice.`, risk: "high", effect: "once", pool: "ops" },
];
const SOURCES = [
  {
    name: "store",
    kind: "sqlite",
    origin: "configuration",
    writable: true,
    tables: [
      { name: "inventory", rows: 6 },
      { name: "cheap", rows: null },
    ],
    files: [],
  },
  { name: "gone", kind: "csv", origin: "upload", writable: false, fault: "its file is missing", files: [] },
];
const DELETED = { status: 204, body: "" };
type Answer = { status?: number; body: unknown; version?: string | null };
const ANSWERS: Readonly<Record<string, Answer>> = {
  "/v1/tools": { body: { tools: TOOLS } },
  "/v1/data": { body: { sources: SOURCES } },
  "/v1/data/gone": DELETED,
  "/v1/plans/one": DELETED,
  "/v1/plans/two": DELETED,
  "/v1/plans/busy": { status: 409, body: { detail: "cancel it first", code: "plan_not_ended" } },
  "/refused/v1/tools": {
    status: 422,
    body: {
      title: "Not so",
      detail: "the request is odd",
      code: "invalid_request",
      issues: [{ field: "a", message: "wanted b" }],
    },
  },
  "/broken/v1/tools": { status: 500, body: { title: "Internal error", code: "internal" } },
  "/page/v1/tools": { body: "<html>hello</html>", version: null },
  "/v1/plans?limit=50": { body: { plans: [{ planId: `$(id)${ESCAPE}`, goal: ESCAPE }] } },
  "/other/v1/tools": { body: { tools: TOOLS }, version: "9.9.9" },
  "/v1/plans/p/cancel": { body: { planId: "p", status: `${ESCAPE}\u009b2J` } },
  "/v1/dead-letters/retry": { body: { retried: 0, refused: [{ message: `${ESCAPE}\u009b2J` }], left: 1 } },
};

let server: http.Server;
let url: string;
beforeAll(async () => {
  server = http.createServer((request, response) => {
    const asked = request.url ?? "";
    if (asked.startsWith("/keyed") && request.headers.authorization !== "Bearer secret") {
      response
        .writeHead(401)
        .end(JSON.stringify({ title: "A valid API key is needed", code: "unauthorized" }));
      return;
    }
    if (asked.startsWith("/cut")) {
      response.writeHead(200, { "content-length": "1000" }).write("{");
      setImmediate(() => response.destroy());
      return;
    }
    const unknown: Answer = asked.startsWith("/v1/plans?id=")
      ? { body: { plans: [] } }
      : { status: 404, body: "?" };
    const answer = ANSWERS[asked.replace("/keyed", "")] ?? unknown;
    const { status = 200, body, version = VERSION } = answer;
    response
      .writeHead(status, version === null ? {} : { "planwright-version": version })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe.concurrent("planwright", () => {
  it("warns on stderr when the gateway has another version", async () => {
    const other = await runCli(["tools"], { env: { PLANWRIGHT_URL: `${url}/other` } });
    const same = await runCli(["tools"], { env: { PLANWRIGHT_URL: url } });
    expect([other.code, other.out]).toEqual([0, same.out]);
    expect(other.err).toBe(
      `planwright: warning: this command is version ${VERSION}, but the gateway at ${url}/other is 9.9.9: use the same version\n`,
    );
    expect(same.err).toBe("");
  });

  it.each([
    [0, ["cancel", "p"]],
    [5, ["dead-letters", "--retry", "all"]],
    [0, ["complete", "--", "list", "--parent", ""]],
  ])("exits with %i and strips control characters from the reply to %j", async (exitCode, args) => {
    const { code, out, err } = await runCli(args, { env: { PLANWRIGHT_URL: url } });
    expect([code, err === ""]).toEqual([exitCode, exitCode === 0]);
    expect(`${out}${err}`.replaceAll(/[\n\t]/g, "")).not.toMatch(/\p{Cc}/u);
  });

  it("deletes the plans that can be deleted, and lists the others with the reason", async () => {
    const env = { PLANWRIGHT_URL: url };
    expect(await runCli(["delete", "one"], { env })).toEqual({ code: 0, out: "deleted one\n", err: "" });
    const some = await runCli(["delete", "--yes", "one", "busy", "two", "two"], { env });
    expect(some.out).toBe("deleted one\ndeleted two\n");
    expect([some.code, some.err]).toEqual([5, "planwright: busy: cancel it first (plan_not_ended)\n"]);
  });

  it.each([
    ["yes\n", 0, "deleted one\n"],
    ["n\n", 2, ""],
    ["", 2, ""],
  ])(
    "asks for confirmation at a terminal before deleting, and handles the answer %j",
    async (input, code, out) => {
      const asked = await runCli(["delete", "one"], { env: { PLANWRIGHT_URL: url }, input, isTTY: true });
      expect([asked.code, asked.out]).toEqual([code, out]);
      expect(asked.err).toContain("Permanently delete plan one, including log, files and sub-plans? [y/N]");
      const sure = await runCli(["delete", "--yes", "one"], { env: { PLANWRIGHT_URL: url }, isTTY: true });
      expect(sure).toEqual({ code: 0, out: "deleted one\n", err: "" });
    },
  );

  it("lists every tool with its risk, effect and pool, without control characters", async () => {
    const { code, out, err } = await runCli(["tools", "--url", url]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      [
        "TOOL        RISK  EFFECT  POOL     DESCRIPTION",
        "sql.query   low   read    default  Run one SELECT.",
        "own.deploy  high  once    ops      Deploys ]0;owned .",
        "",
      ].join("\n"),
    );
  });

  it("prints one JSON document with --json, from the gateway that the environment names", async () => {
    const { code, out } = await runCli(["--json", "tools"], { env: { PLANWRIGHT_URL: `${url}/` } });
    expect([code, JSON.parse(out)]).toEqual([0, TOOLS]);
    expect(out.trimEnd()).not.toContain("\n");
  });

  it("lists the data sources with their tables or their error", async () => {
    const { code, out } = await runCli(["data", "--url", url]);
    expect([code, out]).toEqual([
      0,
      [
        "SOURCE  KIND    ORIGIN         ACCESS      TABLES",
        "store   sqlite  configuration  read-write  inventory (6), cheap",
        "gone    csv     upload         read-only   its file is missing",
        "",
      ].join("\n"),
    ]);
  });

  it("deletes a data source and reports it", async () => {
    const { code, out } = await runCli(["data", "--delete", "gone", "--url", url]);
    expect([code, out]).toEqual([0, "deleted gone\n"]);
  });

  it.each<{
    what: string;
    path: string;
    args?: string[];
    env?: Record<string, string>;
    ends: Partial<CliRun>;
  }>([
    {
      what: "a key that is missing",
      path: "/keyed",
      ends: { code: 4, err: expect.stringContaining("--api-key") },
    },
    {
      what: "a key that is wrong",
      path: "/keyed",
      args: ["--api-key", "other"],
      env: { PLANWRIGHT_API_KEY: "secret" },
      ends: { code: 4 },
    },
    { what: "a key", path: "/keyed", env: { PLANWRIGHT_API_KEY: "secret" }, ends: { code: 0, err: "" } },
    {
      what: "a refusal",
      path: "/refused",
      ends: { code: 5, err: "planwright: the request is odd (invalid_request)\n  a: wanted b\n" },
    },
    {
      what: "a fault",
      path: "/broken",
      ends: { code: 1, err: "planwright: Internal error (internal)\n" },
    },
    {
      what: "another server",
      path: "/page",
      ends: { code: 1, err: expect.stringContaining("is not a Planwright gateway") },
    },
    { what: "a reply that is cut off", path: "/cut", ends: { code: 3, out: "" } },
  ])("reports $what by exit code and message", async ({ path, args = [], env = {}, ends }) => {
    expect(await runCli(["tools", "--url", `${url}${path}`, ...args], { env })).toMatchObject(ends);
  });

  it("reports that no gateway answers and how to fix it", async () => {
    const { code, out, err } = await runCli(["tools"], { env: { PLANWRIGHT_URL: "http://127.0.0.1:9" } });
    expect([code, out]).toEqual([3, ""]);
    expect(err).toMatch(/no gateway answers at http:\/\/127\.0\.0\.1:9 .*\n.*npm start.*--url/);
  });

  it("explains invalid usage, and prints its help", async () => {
    const wrong = await Promise.all([
      runCli(["tools", "--bogus"]),
      runCli(["nonsense"]),
      runCli(["tools", "--url", "ftp://x"]),
      runCli(["tools", "--url", "http://me:secret@127.0.0.1:9"]),
    ]);
    expect(wrong.map(({ code, out }) => [code, out])).toEqual([
      [2, ""],
      [2, ""],
      [2, ""],
      [2, ""],
    ]);
    expect(wrong[3]?.err).not.toContain("secret");
    expect(wrong[2]?.err).toContain('invalid gateway URL "ftp://x"');
    const help = await runCli(["tools", "--help"]);
    expect(help).toMatchObject({ code: 0, err: "" });
    expect(help.out).toMatch(/Usage: planwright tools[\s\S]*--api-key/);
  });
});
