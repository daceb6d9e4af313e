import { expect, it } from "vitest";
import { UsageError } from "../command/parse-arguments.ts";
import { soakMinutes } from "./soak-arguments.ts";

it("runs for ten minutes, or for the requested time", () => {
  expect(soakMinutes([])).toBe(10);
  expect(soakMinutes(["--minutes", "0.5"])).toBe(0.5);
  expect(soakMinutes(["--help"])).toBe("help");
});

it.each([
  [["--minutes", "soon"], 'got "soon"'],
  [["--minutes", "0"], "above 0"],
  [["--minutes", "1441"], "at most 1440"],
  [["--hours", "1"], "usage: npm run soak"],
])("refuses %j", (args, message) => {
  expect(() => soakMinutes(args)).toThrow(UsageError);
  expect(() => soakMinutes(args)).toThrow(message);
});
