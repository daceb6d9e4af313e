import { expect, it } from "vitest";
import { processContext } from "../command-context.ts";
import { createProgram } from "../create-program.ts";
import { wantedWord } from "./wanted-word.ts";

const program = createProgram(processContext({}));

function offered(...words: string[]): string[] | string {
  const wanted = wantedWord(program, words);
  return wanted.kind === "value" ? wanted.of : wanted.candidates.map(({ value }) => value);
}

it("offers commands first, also after options and after help, but no hidden ones", () => {
  expect(offered("")).toEqual(expect.arrayContaining(["submit", "doctor", "help"]));
  expect(offered("")).not.toContain("complete");
  expect(offered("--url", "http://x", "")).toEqual(offered(""));
  expect(offered("help", "")).toEqual(offered(""));
  expect(offered("help", "list", "")).toEqual([]);
  expect(offered("no-such", "")).toEqual([]);
});

it("offers subcommands, then their options and values", () => {
  expect(offered("keys", "")).toEqual(expect.arrayContaining(["list", "create", "revoke"]));
  expect(offered("keys", "create", "ci", "--role", "")).toEqual(expect.arrayContaining(["viewer", "admin"]));
  expect(offered("keys", "create", "ci", "--")).toEqual(expect.arrayContaining(["--role", "--json"]));
});

it("offers the options of a command and the global ones, each only once", () => {
  expect(offered("watch", "x", "-")).toEqual(
    expect.arrayContaining(["--after", "--wait", "--json", "--help"]),
  );
  expect(offered("watch", "--wait", "--")).not.toContain("--wait");
  expect(offered("submit", "--tool", "a", "--")).toContain("--tool");
});

it("knows what kind of value an argument or option takes", () => {
  expect(offered("watch", "")).toBe("plan");
  expect(offered("watch", "--wait", "")).toBe("plan");
  expect(offered("approve", "p", "")).toBe("approval");
  expect(offered("fork", "p", "")).toBe("step");
  expect(offered("submit", "--plan", "")).toBe("file");
  expect(offered("list", "--status", "=", "")).toBe("status");
  expect(offered("list", "--status", "running", "--parent", "")).toBe("plan");
  expect(offered("submit", "--risk", "")).toEqual(["low", "medium", "high", "never"]);
  expect(offered("submit", "write", "a", "")).toBe("goal");
  expect(offered("submit", "--", "--plan", "-")).toBe("goal");
  expect(offered("watch", "p", "")).toEqual([]);
});

it("offers the fields of --json one after the other, and what can follow without them", () => {
  expect(offered("list", "--json", "")).toEqual(expect.arrayContaining(["planId", "goal"]));
  expect(offered("list", "--json", "goal,")).toContain("goal,status");
  expect(offered("--json", "")).toContain("list");
  const wanted = wantedWord(program, ["show", "--json", ""]);
  expect(wanted).toMatchObject({
    kind: "value",
    of: "plan",
    also: expect.arrayContaining([{ value: "goal", description: "" }]),
  });
});
