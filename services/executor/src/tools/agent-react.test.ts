import { describe, expect, it } from "vitest";
import { readTurn } from "./agent-react.ts";

const read = (turn: unknown) =>
  readTurn({ text: typeof turn === "string" ? turn : JSON.stringify(turn), finishReason: "stop" }, [
    "docs.search",
    "get_weather",
  ]);

describe("a turn of the agent loop", () => {
  const search = { tool: "docs.search", args: { query: "x" } };
  const weather = { tool: "get_weather", args: { city: "Rome" } };

  it.each([
    [{ thought: "", tool: "docs.search", argsJson: '{"query": "x"}' }],
    [{ tool: "docs_search", argsJson: '{"query": "x",}' }],
    [{ tool: "functions.docs.search", args: { query: "x" }, result: null }],
    [{ name: "docs.search", arguments: { query: "x" } }],
    [{ thought: "", calls: [{ tool: "docs.search", argsJson: '{"query": "x"}' }], result: null }],
  ])("is one call even if it omits fields: %j", (turn) => {
    expect(read(turn)).toEqual({ kind: "calls", thought: "", calls: [search] });
  });

  const native = (name: string, args: object) => ({
    id: "1",
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  });
  it.each([
    [
      {
        thought: "",
        calls: [
          { tool: "docs.search", argsJson: '{"query": "x"}' },
          { tool: "get_weather", argsJson: '{"city": "Rome"}' },
        ],
        result: null,
        requiresReplan: false,
        reason: null,
      },
    ],
    [{ calls: [search, weather] }],
    [[search, { tool: "get_weather", argsJson: '{"city": "Rome"}' }]],
    [{ tool_calls: [native("docs.search", search.args), native("get_weather", weather.args)] }],
    [[native("docs.search", search.args), { name: "get_weather", arguments: weather.args }]],
  ])("is several calls in order, written as the schema or native tool calls specify: %j", (turn) => {
    expect(read(turn)).toEqual({ kind: "calls", thought: "", calls: [search, weather] });
  });

  it("keeps the valid calls next to invalid ones", () => {
    const calls = [{ tool: "docs.find" }, search, { tool: "get_weather", argsJson: "x" }, {}];
    expect(read({ calls })).toMatchObject({
      kind: "calls",
      calls: [
        { error: { code: "unknown_tool", message: expect.stringContaining('no tool "docs.find"') } },
        search,
        { tool: "get_weather", error: { code: "invalid_arguments" } },
        { error: { code: "unknown_tool" } },
      ],
    });
  });

  it.each([
    ['{"thought": "done", "result": "line 1\nline 2"}'],
    ['{"thought": "done", "calls": [], "result": "line 1\nline 2"}'],
    ['{"thought": "done", "calls": null, "tool": null, "result": "line 1\nline 2"}'],
  ])("ends the loop when it has a result and no call: %j", (text) => {
    const end = { kind: "finish", thought: "done", result: "line 1\nline 2", replan: undefined };
    expect(read(text)).toEqual(end);
  });

  it("reports why the plan has to change", () => {
    const end = { calls: [], result: "two offices", requiresReplan: true, reason: " two of them " };
    expect(read(end)).toMatchObject({ kind: "finish", replan: "two of them" });
    expect(read({ ...end, reason: null })).toMatchObject({
      replan: "the step found that the plan has to change",
    });
  });

  it.each([
    [{ thought: "hm" }, "malformed_turn"],
    [{ thought: "hm", calls: [] }, "malformed_turn"],
    [{ tool: 5 }, "malformed_turn"],
    [{ calls: [5] }, "malformed_turn"],
    [{ calls: Array(9).fill(search) }, "too_many_calls"],
  ])("is a fault with an explanation: %j", (turn, code) => {
    expect(read(turn)).toMatchObject({ kind: "fault", error: { code } });
  });

  it("is a fault when it was cut off", () => {
    const cut = readTurn({ text: '{"calls": [{"to', finishReason: "length" }, ["docs.search"]);
    expect(cut).toMatchObject({ kind: "fault", error: { code: "truncated_turn" } });
  });
});
