import { describe, expect, it } from "vitest";
import { readTurn } from "./read-turn.ts";

const read = (turn: unknown) =>
  readTurn({ text: typeof turn === "string" ? turn : JSON.stringify(turn), finishReason: "stop" }, [
    "docs.search",
    "get_weather",
  ]);

describe("a turn of the agent loop", () => {
  const call = { kind: "call", thought: "", tool: "docs.search", args: { query: "x" } };

  it.each([
    [{ thought: "", tool: "docs.search", argsJson: '{"query": "x"}' }],
    [{ tool: "docs_search", argsJson: '{"query": "x",}' }],
    [{ tool: "functions.docs.search", args: { query: "x" }, result: null }],
  ])("is a call, though it leaves fields out: %j", (turn) => {
    expect(read(turn)).toEqual(call);
  });

  it("is an end when it has a result", () => {
    expect(read('{"thought": "done", "result": "line 1\nline 2"}')).toEqual({
      kind: "finish",
      thought: "done",
      result: "line 1\nline 2",
      replan: undefined,
    });
  });

  it.each([
    [{ tool: "docs.find" }, "unknown_tool"],
    [{ tool: "docs.search", argsJson: "x" }, "invalid_arguments"],
    [{ thought: "hm" }, "malformed_turn"],
    [{ tool: 5 }, "malformed_turn"],
  ])("is a fault that says what is wrong: %j", (turn, code) => {
    expect(read(turn)).toMatchObject({ kind: "fault", code });
  });
});
