// Steps with agent types: which pool runs them, and that their worker knows their agent type.
import { describe, expect, it } from "vitest";
import { after, fact, READ, step, submitted, succeeded, unitsOf, worksOf, WRITE } from "../../test/facts.ts";
import type { AgentType } from "./agent-type.ts";
import { grantsOf } from "./grants-of.ts";
import { PlanDocument } from "./plan-language.ts";
import { ToolSpec } from "./tool-spec.ts";

const types: ReadonlyMap<string, AgentType> = new Map([
  ["researcher", { description: "looks", tools: ["flow.echo"] }],
  ["writer", { description: "writes", tools: ["flow.echo"], pool: "writing" }],
]);
const tools = new Map(
  ["flow.echo", "files.write"].map((name) => [
    name,
    ToolSpec.parse({ name, description: name, input: {}, output: {}, ...READ }),
  ]),
);

const runs = (steps: readonly object[]) => {
  const plan = PlanDocument.parse({ steps });
  return worksOf(after(submitted(steps, { grants: grantsOf(plan, tools, types) })));
};

describe("a step", () => {
  it("goes to the pool of its agent type, or to the pool that it names, or to its tool's", () => {
    const works = runs([
      step("a", [], { agent: "researcher" }),
      step("b", [], { agent: "writer" }),
      step("c", [], { agent: "gpu" }),
      step("d"),
    ]);
    expect(works.map(({ stepId, pool, agent }) => [stepId, pool, agent])).toEqual([
      ["a", "researcher", "researcher"],
      ["b", "writing", "writer"],
      ["c", "gpu", undefined],
      ["d", "default", undefined],
    ]);
  });

  it("of a draft records its agent's pool in its grant", () => {
    const grant = { ...READ, agent: { pool: "writing" } };
    const planned = fact("step.planned", {
      draft: 1,
      index: 0,
      step: step("a", [], { agent: "writer" }),
      grant,
    });
    const started = fact("draft.started", {
      draft: 1,
      strategy: "parallel",
      strategyReason: "r",
      workerId: "w",
    });
    expect(worksOf(after(submitted(), started, planned))).toMatchObject([
      { pool: "writing", agent: "writer" },
    ]);
  });

  it("shares a unit with a step of another agent type in the same pool, and keeps its own", () => {
    const both = new Map([...types, ["editor", { description: "e", tools: ["flow.echo"], pool: "writing" }]]);
    const steps = [
      step("a", [], { agent: "writer" }),
      step("b", ["a"], { agent: "editor" }),
      step("c", ["b"]),
    ];
    const light = new Map([...tools].map(([name, spec]) => [name, { ...spec, light: true as const }]));
    const grants = grantsOf(PlanDocument.parse({ steps }), light, both);
    const [unit] = unitsOf(after(submitted(steps, { grants })));
    expect(unit?.steps).toMatchObject([
      { stepId: "a", agent: "writer" },
      { stepId: "b", agent: "editor" },
    ]);
  });

  it("is compensated by its compensation's agent", () => {
    const steps = [
      { id: "a", tool: "files.write", compensate: { tool: "files.write", agent: "writer" } },
      step("b", ["a"]),
    ];
    const grants = {
      "flow.echo": READ,
      "files.write": WRITE,
      "writer/files.write": { ...WRITE, agent: { pool: "writing" } },
    };
    const plan = after(
      submitted(steps, { grants }),
      fact("step.started", { stepId: "a", item: 0, attempt: 1, workerId: "w" }),
      succeeded("a"),
      fact("cancel.requested", { reason: "no", by: "me" }),
    );
    expect(worksOf(plan)).toMatchObject([{ undo: true, pool: "writing", agent: "writer" }]);
  });
});
