import { describe, expect, it } from "vitest";
import path from "node:path";
import { tempFolder } from "../testing/temp-folder.ts";
import { findAgentFile, readAgents, refuseMissingTools } from "./agent-file.ts";

const researcher = { description: "looks", tools: ["docs.search"] };
const text = (agents: object) => JSON.stringify({ agents });

describe("the agent types file", () => {
  it("is parsed; equal content has equal digests", () => {
    const { types, digest } = readAgents("a.json", text({ researcher: { ...researcher, model: "m" } }));
    expect(types).toEqual({ researcher: { ...researcher, model: "m" } });
    const turned = { researcher: { model: "m", tools: ["docs.search"], description: "looks" } };
    expect(readAgents("b.json", JSON.stringify({ agents: turned }, undefined, 2)).digest).toBe(digest);
    expect(readAgents("b.json", text({ researcher })).digest).not.toBe(digest);
  });

  it.each([
    ["{", "a.json: wanted JSON: "],
    ["[]", "a.json: the file: wanted an object, got an empty list"],
    [text({ Researcher: researcher }), "agents.Researcher: wanted a name of lower-case letters"],
    [text({ researcher: {} }), "agents.researcher.description: wanted text, got nothing"],
    [
      text({ r: { ...researcher, tools: [] } }),
      "agents.r.tools: wanted at least 1 entries, got an empty list",
    ],
    [text({ r: { ...researcher, concurrency: 0 } }), "agents.r.concurrency: wanted at least 1, got 0"],
    [text({ r: { ...researcher, sytem: "x" } }), 'agents.r: unknown field: "sytem"'],
    [
      text({ r: { ...researcher, system: "x".repeat(20_001) } }),
      "agents.r.system: wanted at most 20000 characters",
    ],
    [" ".repeat(600_000), "wanted at most 524288 bytes, got 600000"],
    [
      text(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`r${n}`, researcher]))),
      "wanted at most 100 agent types",
    ],
  ])("is rejected when it is invalid, case %#", (content, fault) =>
    expect(() => readAgents("a.json", content)).toThrow(fault),
  );

  it("reports every error, up to ten", () => {
    const types = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`r${n}`, { ...researcher, pool: "!" }]),
    );
    expect(() => readAgents("a.json", text(types))).toThrow(/agents\.r9\.pool: .*; 2 more$/);
  });

  it("can only name tools that its worker has", () => {
    const set = readAgents("a.json", text({ r: researcher, s: { ...researcher, tools: ["x.y"] } }));
    const tools = new Set(["docs.search"]);
    refuseMissingTools(set, { pools: new Set(["r"]), tools });
    expect(() => refuseMissingTools(set, { pools: new Set(["r", "s"]), tools })).toThrow(
      'agents.s.tools[0]: wanted a tool that this executor has, got "x.y"',
    );
  });

  it("can name a tool of an MCP server that has not answered yet", () => {
    const set = readAgents("a.json", text({ s: { ...researcher, tools: ["files.read-file"] } }));
    const mayHave = (tool: string): boolean => tool.startsWith("files.");
    refuseMissingTools(set, { pools: new Set(["s"]), tools: new Set(), mayHave });
    expect(() => refuseMissingTools(set, { pools: new Set(["s"]), tools: new Set() })).toThrow(
      /files\.read-file/,
    );
  });

  it("is found at the configured path, otherwise in the first folder that has it", async () => {
    using folder = tempFolder();
    const folders = [path.join(folder.path, "data"), path.join(folder.path, "work")];
    const find = (named?: string) => findAgentFile({ named, folders });
    expect(await find()).toBeUndefined();
    folder.write("work/agents.json", text({ worker: researcher }));
    expect(Object.keys((await find())?.types ?? {})).toEqual(["worker"]);
    folder.write("data/agents.json", text({ dater: researcher }));
    expect(Object.keys((await find())?.types ?? {})).toEqual(["dater"]);
    const named = path.join(folder.path, "mine.json");
    await expect(find(named)).rejects.toThrow(`${named}: file not found`);
    await expect(find(folder.path)).rejects.toThrow("cannot be read");
  });
});
