// How a worker announces a tool that claims to be light but is not.
import { OWNER_TOOLS, ToolSpec } from "@planwright/plan";
import type { Registry } from "@planwright/shared/bus";
import { expect, it } from "vitest";
import { flowEcho } from "../tools/flow-echo.ts";
import { mathEvaluate } from "../tools/math-evaluate.ts";
import { watchLightTools } from "./light-tools.ts";

const specs = [flowEcho().spec, mathEvaluate().spec, ...OWNER_TOOLS];
const none = (): never => {
  throw new Error("not part of this test");
};

function stage() {
  const entries = new Map(specs.map((spec) => [spec.name, spec]));
  const listeners = new Set<() => void>();
  const warnings: unknown[] = [];
  const registry: Registry<ToolSpec> = {
    entries: () => entries,
    put: async (name, spec) => {
      entries.set(name, ToolSpec.parse(spec));
      for (const listener of listeners) listener();
    },
    replace: none,
    remove: none,
    onChange: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    until: none,
    [Symbol.asyncDispose]: none,
  };
  const log = { warn: (about: unknown) => void warnings.push(about) };
  return { registry, entries, warnings, tools: watchLightTools(registry, log) };
}

const lightOf = (all: Iterable<ToolSpec>) => [...all].filter(({ light }) => light).map(({ name }) => name);

it("reports a tool once and announces it as not light, now and later", () => {
  const { tools, entries, warnings } = stage();
  using _tools = tools;
  tools.withdraw("flow.echo", "a step took longer than 50 ms");
  tools.withdraw("flow.echo", "a step took longer than 50 ms");
  expect(lightOf(entries.values())).toEqual(["math.evaluate"]);
  expect(lightOf(tools.announced(specs))).toEqual(["math.evaluate"]);
  expect(warnings).toEqual([{ tool: "flow.echo", reason: "a step took longer than 50 ms" }]);
});

it("corrects the announcements of other workers until it stops (LIGHT-1)", async () => {
  const { tools, entries, registry } = stage();
  tools.withdraw("flow.echo", "a step took longer than 50 ms");
  await registry.put("flow.echo", flowEcho().spec);
  expect(lightOf(entries.values())).toEqual(["math.evaluate"]);
  tools[Symbol.dispose]();
  await registry.put("flow.echo", flowEcho().spec);
  expect(lightOf(entries.values())).toEqual(["flow.echo", "math.evaluate"]);
});
