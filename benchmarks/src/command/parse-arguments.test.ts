import { expect, it } from "vitest";
import { parseArguments, RECORDED, UsageError } from "./parse-arguments.ts";

const KNOWN = { workloads: ["W1", "W2", "W3"], groups: { all: ["W1", "W2", "W3"], some: ["W1", "W3"] } };

it("runs the named workloads five times without changing recorded results", () => {
  const command = parseArguments(["W2", "W2"], KNOWN);
  expect(command).toMatchObject({ kind: "run", workloads: ["W2"], runs: 5 });
  expect(command).not.toMatchObject({ out: RECORDED });
});

it("records a run of everything", () => {
  const args = ["all", "--runs", "7"];
  expect(parseArguments(args, KNOWN)).toMatchObject({
    workloads: ["W1", "W2", "W3"],
    runs: 7,
    out: RECORDED,
  });
  expect(parseArguments([...args, "--out", "here"], KNOWN)).toMatchObject({ out: "here" });
});

it("expands names that stand for several workloads", () => {
  expect(parseArguments(["some", "W1"], KNOWN)).toMatchObject({ workloads: ["W1", "W3"], questions: 30 });
  expect(parseArguments(["some", "--all"], KNOWN)).toMatchObject({ questions: Infinity });
});

it.each([[[]], [["--help"]], [["W1", "-h"]]])("shows its help for %j", (args) => {
  expect(parseArguments(args, KNOWN)).toEqual({ kind: "help" });
});

it.each([
  [["W1", "W9"], "unknown workload W9; there are: W1, W2, W3, all, some"],
  [["W1", "--runs", "0"], 'wanted a whole number from 1 to 1000, got "0"'],
  [["W1", "--runs", "2.5"], 'got "2.5"'],
  [["W1", "--plans", "many"], '--plans: wanted a whole number from 1 to 10000000, got "many"'],
  [["W1", "--rums", "2"], "--rums"],
])("refuses %j", (args, message) => {
  expect(() => parseArguments(args, KNOWN)).toThrow(UsageError);
  expect(() => parseArguments(args, KNOWN)).toThrow(message);
});
