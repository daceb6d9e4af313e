import { expect, it } from "vitest";
import { readableLine } from "./log-line.ts";

const line = (fields: object) =>
  JSON.stringify({ level: 30, time: 0, pid: 7, hostname: "h", name: "planner", ...fields });

it("shows the message and its fields, without the fields of every line", () => {
  expect(readableLine(line({ msg: "step started", planId: "p1", attempt: 2 }))).toEqual({
    severity: "info",
    text: "step started planId=p1 attempt=2",
  });
});

it("shows the message of an error that is logged as a warning, and the stack of one that is logged as an error", () => {
  const err = { type: "Error", message: "no route", stack: "Error: no route\n    at x" };
  expect(readableLine(line({ level: 40, msg: "retrying", err }))).toEqual({
    severity: "warn",
    text: "retrying no route",
  });
  expect(readableLine(line({ level: 60, msg: "failed", err }))).toEqual({
    severity: "error",
    text: "failed Error: no route\n    at x",
  });
});

it("strips control characters and line breaks that could imitate another line", () => {
  const hostile = "a\u001b]0;owned\u0007\u009b2J\nplanner    stopped";
  const err = { message: hostile, stack: `Error: ${hostile}` };
  for (const text of [line({ level: 50, msg: hostile, reason: hostile, err }), `x${hostile}`]) {
    expect(readableLine(text).text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  }
  expect(readableLine(line({ msg: "failed", reason: hostile })).text).not.toContain("\n");
});

it.each(["plain words", "{ not json", '{"some":"object"}', ""])("leaves %j unchanged", (text) => {
  expect(readableLine(text)).toEqual({ severity: "info", text });
});
