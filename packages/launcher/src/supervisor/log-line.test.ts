import { expect, it } from "vitest";
import { readableLine } from "./log-line.ts";

const line = (fields: object) =>
  JSON.stringify({ level: 30, time: 0, pid: 7, hostname: "h", name: "planner", ...fields });

it("shows the phrase and what belongs to it, without what every line has", () => {
  expect(readableLine(line({ msg: "step started", planId: "p1", attempt: 2 }))).toEqual({
    severity: "info",
    text: "step started planId=p1 attempt=2",
  });
});

it("shows the message of a warning's error, and the stack of an error's", () => {
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

it("lets nothing in a line steer a terminal, or look like another line", () => {
  const hostile = "a\u001b]0;owned\u0007\u009b2J\nplanner    stopped";
  const err = { message: hostile, stack: `Error: ${hostile}` };
  for (const text of [line({ level: 50, msg: hostile, reason: hostile, err }), `x${hostile}`]) {
    expect(readableLine(text).text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  }
  expect(readableLine(line({ msg: "failed", reason: hostile })).text).not.toContain("\n");
});

it.each(["plain words", "{ not json", '{"some":"object"}', ""])("leaves %j as it is", (text) => {
  expect(readableLine(text)).toEqual({ severity: "info", text });
});
