import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openRedaction } from "./redaction.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-redaction-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const file = path.join(folder, "redaction.json");

async function open(rules: unknown) {
  await writeFile(file, JSON.stringify({ rules }));
  return openRedaction({ PLANWRIGHT_REDACTION: file });
}

describe("a file of rules", () => {
  it("hides values from roles that a rule does not name, and always from logs and traces", async () => {
    const redaction = await open([
      { builtIn: "email", shownTo: ["approver", "admin"] },
      { name: "employee", pattern: "e-[0-9]{4}", ignoreCase: true, replacement: "[staff]" },
    ]);
    const text = "ann@example.com E-1234";
    expect(redaction.forRole("viewer").text(text)).toBe("[redacted: email] [staff]");
    expect(redaction.forRole("admin").text(text)).toBe("ann@example.com [staff]");
    expect(redaction.all.text(text)).toBe("[redacted: email] [staff]");
    expect(redaction.forRole("viewer")).toBe(redaction.forRole("operator"));
    expect(redaction.forRole("admin")).toBe(redaction.forRole("approver"));
  });

  it("is found in the data folder without a setting", async () => {
    await open([{ builtIn: "email" }]);
    expect((await openRedaction({ PLANWRIGHT_DATA: folder })).isActive).toBe(true);
  });

  it("is optional", async () => {
    const redaction = await openRedaction({ PLANWRIGHT_DATA: path.join(folder, "none") });
    expect(redaction.isActive).toBe(false);
    const line = '{"msg":"ann@example.com"}\n';
    expect(redaction.logLine(line)).toBe(line);
  });

  it("rewrites lines of the log, even those that are not JSON", async () => {
    const { logLine } = await open([{ builtIn: "email" }, { name: "credentials", keys: ["password"] }]);
    expect(logLine('{"level":30,"msg":"to ann@example.com","args":{"password":"x"}}\n')).toBe(
      '{"level":30,"msg":"to [redacted: email]","args":{"password":"[redacted: credentials]"}}\n',
    );
    expect(logLine("to ann@example.com\n")).toBe("to [redacted: email]\n");
    expect(logLine('{"level":30}\n')).toBe('{"level":30}\n');
  });
});

describe("a rule that cannot be used", () => {
  it.each([
    [[{ builtIn: "e-mail" }], /rules\[0\]\.builtIn: .*email/],
    [[{ builtIn: "email", shownTo: ["boss"] }], /rules\[0\]\.shownTo\[0\]: .*viewer/],
    [[{ name: "x" }], /rules\[0\] \(x\): wanted one of builtIn, pattern and keys, got none/],
    [[{ pattern: "a" }], /rules\[0\]: wanted a name, got none: set name/],
    [
      [{ builtIn: "email" }, { name: "email", keys: ["a"] }],
      /rules\[1\] \(email\): wanted a name that no other rule has/,
    ],
    [
      [{ name: "x", pattern: "(" }],
      /rules\[0\] \(x\): pattern: wanted a regular expression in RE2's syntax .*missing closing \)/,
    ],
    [[{ name: "x", pattern: "(?=a)b" }], /\(x\): pattern: .*no lookaround/],
    [[{ name: "x", pattern: "a*" }], /\(x\): pattern: wanted a pattern that finds at least one character/],
    [
      [{ name: "x", pattern: "(?:a{1,999}b{1,999})c" }],
      /\(x\): pattern: wanted a pattern of at most 1000 instructions/,
    ],
    [[{ name: "x", pattern: "redacted" }], /x: matches the replacement "\[redacted: x\]" of x/],
    [[{ name: "x", keys: ["a..b"] }], /rules\[0\]\.keys\[0\]: wanted keys separated by dots/],
    [[{ name: "x", keys: ["a"], replacement: '"' }], /rules\[0\]\.replacement: wanted 3 to 80 characters/],
    [[{ name: "x", pattern: "a".repeat(1_001) }], /rules\[0\]\.pattern/],
  ])("is rejected with its path, the fault and the expected value: %j", async (rules, message) => {
    const refused = open(rules);
    await expect(refused).rejects.toMatchObject({ code: "invalid_redaction" });
    await expect(refused).rejects.toThrow(message);
  });

  it("is rejected when the named file does not exist", async () => {
    const missing = openRedaction({ PLANWRIGHT_REDACTION: path.join(folder, "missing.json") });
    await expect(missing).rejects.toThrow(/missing\.json: file not found/);
  });
});
