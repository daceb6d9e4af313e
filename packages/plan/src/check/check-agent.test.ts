// Where a step runs, and with which tools: agent types, and loops inside steps.
import { describe, expect, it } from "vitest";
import type { Agents } from "../language/agent-type.ts";
import { ToolSpec } from "../language/tool-spec.ts";
import { checkPlan } from "./check-plan.ts";

const spec = (name: string, effect = "read") =>
  ToolSpec.parse({ name, description: name, input: {}, output: {}, effect, timeoutMs: 1_000 });
const tools = new Map(
  [
    spec("docs.search"),
    spec("model.write"),
    spec("math.evaluate"),
    spec("files.write", "idempotent"),
    spec("agent.react", "idempotent"),
  ].map((one) => [one.name, one]),
);
const agents: Agents = {
  types: new Map([
    ["researcher", { description: "looks", tools: ["docs.search", "agent.react"] }],
    ["writer", { description: "writes", tools: ["model.write"] }],
  ]),
  pools: new Set(["gpu"]),
};
/** Code and field of each issue. */
const faultsOf = (step: object, rules: object = {}) =>
  issuesOf(step, rules).map((issue) => issue.slice(0, 2));
const issuesOf = (step: object, rules: object = {}) =>
  checkPlan({ steps: [{ id: "s1", ...step }] }, { tools, agents, ...rules }).issues.map(
    ({ code, field, message }) => [code, field, message],
  );

describe("the agent of a step", () => {
  it.each([{ agent: "researcher" }, { agent: "gpu" }, {}])("can be %j", (who) =>
    expect(issuesOf({ tool: "docs.search", ...who })).toEqual([]),
  );

  it("must be an existing type or pool", () => {
    expect(issuesOf({ tool: "docs.search", agent: "reseacher" })).toEqual([
      ["unknown_agent", "agent", 'there is no agent type "reseacher"; did you mean "researcher"?'],
    ]);
    expect(issuesOf({ tool: "docs.search", agent: "lawyer" })).toEqual([
      ["unknown_agent", "agent", 'there is no agent type "lawyer"; there are "researcher", "writer"'],
    ]);
  });

  it("can be any pool where there are no agent types", () => {
    const none = { agents: { types: new Map(), pools: new Set() } };
    expect(issuesOf({ tool: "docs.search", agent: "lawyer" }, none)).toEqual([]);
    expect(issuesOf({ tool: "docs.search", agent: "lawyer" }, { agents: undefined })).toEqual([]);
  });

  it("uses only the tools of its type, also for compensations", () => {
    expect(issuesOf({ tool: "math.evaluate", agent: "writer" })).toEqual([
      [
        "tool_not_granted",
        "tool",
        'the agent type "writer" may not use "math.evaluate"; it may use "model.write"',
      ],
    ]);
    const undone = { tool: "files.write", compensate: { tool: "files.write", agent: "writer" } };
    expect(faultsOf(undone)).toEqual([["tool_not_granted", "compensate.tool"]]);
  });

  it("is reported even if the step is also malformed", () =>
    expect(faultsOf({ tool: "docs.search", agent: "lawyer", dependsOn: {} })).toEqual([
      ["malformed", "steps[0].dependsOn"],
      ["unknown_agent", "agent"],
    ]));
});

describe("the tools of a loop", () => {
  const loop = (names: unknown, more: object = {}) => ({
    tool: "agent.react",
    args: { goal: "g", tools: names },
    ...more,
  });

  it.each([[["docs.search"]], [{ $ref: "s0.output" }], [["{{s0.output}}", 1]]])("can be %j", (names) => {
    const steps = [
      { id: "s0", tool: "docs.search" },
      { id: "s1", ...loop(names) },
    ];
    expect(checkPlan({ steps }, { tools, agents }).issues).toEqual([]);
  });

  it("must exist and must not be loops themselves", () => {
    expect(issuesOf(loop(["docs.search", "docs.serch"]))).toEqual([
      ["unknown_tool", "args.tools[1]", 'a loop has no tool "docs.serch"; did you mean "docs.search"?'],
    ]);
    expect(faultsOf(loop(["agent.react"]))).toEqual([["unknown_tool", "args.tools[0]"]]);
  });

  it("have no compensations: a step is compensated by a single call", () => {
    const undone = { tool: "files.write", compensate: { ...loop(["docs.search"]) } };
    expect(faultsOf(undone)).toEqual([["tool_not_allowed", "compensate.tool"]]);
  });

  it("must be allowed by the plan and by the step's agent type", () => {
    const allowed = ["agent.react", "docs.search"];
    expect(faultsOf(loop(["model.write"]), { allowed })).toEqual([["tool_not_allowed", "args.tools[0]"]]);
    expect(issuesOf(loop(["docs.search", "model.write"], { agent: "researcher" }))).toEqual([
      [
        "tool_not_granted",
        "args.tools[1]",
        'the agent type "researcher" may not use "model.write"; it may use "docs.search", "agent.react"',
      ],
    ]);
  });
});
