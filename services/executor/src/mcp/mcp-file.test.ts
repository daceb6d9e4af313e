import { describe, expect, it } from "vitest";
import path from "node:path";
import { tempFolder } from "../testing/temp-folder.ts";
import { createFloodGate } from "./flood-gate.ts";
import { findMcpFile, parseMcpFile, readMcpFile } from "./mcp-file.ts";
import { toolNameOf } from "./tool-names.ts";
import { riskOf } from "./tool-risk.ts";

const parse = (mcpServers: object, env: Record<string, string> = {}) =>
  parseMcpFile(JSON.stringify({ mcpServers }), env);

describe("the MCP servers file", () => {
  it("is what other clients read, with environment variables substituted", () => {
    const { servers, broken } = parse(
      {
        "My Files": {
          command: "npx",
          args: ["-y", "${ROOT:-/srv}"],
          env: { KEY: "${KEY}" },
          autoApprove: ["x"],
          timeout: 5,
        },
        tickets: {
          type: "streamable-http",
          url: "https://${HOST}/mcp",
          headers: { authorization: "Bearer ${KEY}" },
        },
        off: { command: "nothing", disabled: true },
      },
      { KEY: "k-123456", HOST: "tickets.example" },
    );
    expect(broken).toEqual([]);
    expect(servers).toMatchObject([
      {
        name: "my-files",
        target: { kind: "stdio", command: "npx", args: ["-y", "/srv"], env: { KEY: "k-123456" } },
        secrets: ["k-123456", "/srv"],
      },
      { name: "tickets", target: { kind: "http", url: "https://tickets.example/mcp" } },
    ]);
  });

  it.each([
    [{ a: { command: "x", env: { K: "${MISSING}" } } }, /the environment variable MISSING is not set/],
    [{ a: { url: "file:///etc/passwd" } }, /http:\/\/ or https:\/\//],
    [{ a: { command: "x", tools: { t: { risk: "none" } } } }, /tools\.t\.risk/],
    [{ a: { command: "x", arg: [] } }, /arg/],
    [{ a: {} }, /command/],
    [{ "!": { command: "x" } }, /letter/],
  ])("reports what is wrong with a server, and uses the others: %j", (servers, reason) => {
    const read = parse({ ...servers, good: { command: "y" }, Good: { command: "z" } });
    expect(read.servers.map(({ name }) => name)).toEqual(["good"]);
    expect(read.broken).toMatchObject([{ reason: expect.stringMatching(reason) }, { file: "mcp: Good" }]);
  });

  it("is found at the configured path, otherwise in the first folder that has it, and can become unreadable", async () => {
    using folder = tempFolder();
    const folders = [path.join(folder.path, "data"), path.join(folder.path, "work")];
    const find = (named?: string) => findMcpFile({ named, folders });
    expect(await find()).toBeUndefined();
    const second = folder.write("work/mcp.json", "{");
    expect(await find()).toBe(second);
    const first = folder.write("data/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}');
    expect(await find()).toBe(first);
    await expect(find(path.join(folder.path, "none"))).rejects.toMatchObject({ code: "no_mcp_file" });
    expect((await readMcpFile(first, {})).servers).toHaveLength(1);
    expect(await readMcpFile(second, {})).toMatchObject({ servers: [], broken: [{ file: second }] });
  });

  it("is rejected as a whole when it cannot be parsed or names too many servers", () => {
    expect(() => parseMcpFile("{", {})).toThrow(SyntaxError);
    expect(() => parseMcpFile("{}", {})).toThrow();
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`s${index}x`, { command: "x" }]),
    );
    expect(() => parse(many)).toThrow(/at most 20/);
  });
});

it.each([
  ["read_file", "s.read-file"],
  ["readFile", "s.read-file"],
  ["admin/Tools.Delete ", "s.admin-tools-delete"],
  ["2fa", "s.fa"],
])("names the tool %s as plans do", (tool, name) => expect(toolNameOf("s", tool)).toBe(name));

it("refuses tools whose names plans cannot use", () => {
  expect(() => toolNameOf("s", "日本")).toThrow(RangeError);
  expect(() => toolNameOf("s", "x".repeat(150))).toThrow(RangeError);
});

it.each([
  [undefined, "high", "once"],
  [{}, "high", "once"],
  [{ readOnlyHint: true, openWorldHint: false }, "low", "read"],
  [{ readOnlyHint: true }, "medium", "read"],
  [{ destructiveHint: false }, "medium", "once"],
  [{ destructiveHint: false, idempotentHint: true }, "medium", "idempotent"],
  [{ destructiveHint: true, idempotentHint: true }, "high", "idempotent"],
  [{ readOnlyHint: false }, "high", "once"],
] as const)("maps the hints %j to %s and %s", (hints, risk, effect) => {
  expect(riskOf(hints)).toEqual({ risk, effect });
});

it("limits how much a server can send within any ten seconds", () => {
  let nowMs = 0;
  const gate = createFloodGate(() => nowMs);
  const lines = Buffer.from("x\n".repeat(4_000));
  gate.pass(lines);
  expect(() => gate.pass(lines)).toThrow(/5000 lines/);
  nowMs = 10_001;
  gate.pass(lines);
  const megabytes = Buffer.alloc(20 * 1024 * 1024);
  gate.pass(megabytes);
  expect(() => gate.pass(megabytes)).toThrow(/bytes/);
});
