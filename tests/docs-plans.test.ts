// Plans, steps, submissions and decisions that the documents show: each is one that a gateway accepts, with the tools of an
// installation in which everything is configured.
import { DecisionBody, SubmissionBody } from "@planwright/api";
import { checkPlan, OWNER_TOOLS } from "@planwright/plan";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { createToolbox } from "../services/executor/src/tools/create-toolbox.ts";
import { withSecrets } from "../services/executor/src/secrets/redact-tools.ts";
import { createSecrets } from "../services/executor/src/secrets/secrets.ts";
import { createAllTools } from "./support/all-tools.ts";
import { blocksRunBy, placeOf } from "./support/documents/block-runners.ts";

const all = createAllTools();
afterAll(() => all[Symbol.dispose]());
const secrets = createSecrets([
  {
    name: "CRM",
    value: "a long secret",
    use: [{ tool: "http.fetch", arguments: ["headers.authorization"], hosts: ["crm.example.com"] }],
  },
]);
const toolbox = withSecrets(createToolbox(all.tools), secrets);
const tools = new Map([...toolbox.specs(), ...OWNER_TOOLS].map((tool) => [tool.name, tool]));

const Steps = z.array(z.looseObject({ id: z.string() }));
const Value = z.looseObject({});
/** An approval of a whole plan. */
const EditedPlan = z.looseObject({ edits: z.looseObject({ steps: z.array(z.unknown()) }) });
const blocks = blocksRunBy("tests/docs-plans.test.ts").map((block) => ({
  place: placeOf(block),
  values: valuesOf(block.code),
}));

it.each(blocks)("$place is accepted", ({ values }) => {
  expect(values.length).toBeGreaterThan(0);
  expect(faultsOf(values)).toEqual([]);
});

it("finds an example with an error", () => {
  expect(issuesOf(valuesOf('{ "id": "a", "tool": "flow.ecko", "args": {} }'))).toEqual([
    expect.stringContaining("flow.ecko"),
  ]);
  expect(issuesOf(valuesOf('{ "id": "a", "tool": "math.evaluate", "args": { "expr": "1" } }'))).not.toEqual(
    [],
  );
});

/** The values of a block: one, a list of steps, or several steps one after the other. `…` stands for a step where a list needs one. */
function valuesOf(code: string): z.output<typeof Value>[] {
  const step = '{ "id": "s3", "tool": "flow.echo", "args": { "value": 1 } }';
  const text = code
    .trim()
    .replaceAll("[ … ]", `[ ${step} ]`)
    .replaceAll(/\}\n\{/g, "},\n{");
  const value: unknown = JSON.parse(text.startsWith("[") ? text : `[${text}]`);
  return z.array(Value).parse(value);
}

/** What is wrong with steps, except that some of those that they refer to are not shown, and that arguments are left out. */
function issuesOf(values: readonly object[]): string[] {
  const steps = Steps.parse(values).map((step) => withArguments(step));
  const ids = new Set(steps.map(({ id }) => id));
  const usable = namedSteps(steps).difference(ids);
  const { issues } = checkPlan({ steps }, { tools, beside: { usable, taken: new Set() } });
  return issues.map(({ stepId, field, message }) => `${stepId}, ${field}: ${message}`);
}

/** An example of a condition has no arguments. */
function withArguments(step: z.output<typeof Steps>[number]) {
  const isLeftOut = JSON.stringify(step["args"]) === '{"…":"…"}';
  const url = "https://example.com/";
  if (isLeftOut) return { ...step, args: { url, body: 1 } };
  return JSON.stringify(step["args"]) === '{"url":"…"}' ? { ...step, args: { url } } : step;
}

/** The steps that references and conditions name. */
function namedSteps(steps: readonly object[]): Set<string> {
  const names = JSON.stringify(steps).matchAll(/(?:"\$ref":"|"when":"|\{\{)(?<name>\w+)\./g);
  return new Set(Array.from(names, ({ groups = {} }) => groups["name"] ?? "")).difference(
    new Set(["item", "secret"]),
  );
}

/** Also fields that would be ignored: bodies are strict. */
function faultsOf(values: readonly z.output<typeof Value>[]): string[] {
  if (values.every((value) => "id" in value)) return issuesOf(values);
  return values.flatMap((value) => {
    const { error } =
      "decision" in value ? DecisionBody.safeParse(value) : SubmissionBody.safeParse({ goal: "…", ...value });
    const plan = EditedPlan.safeParse(value);
    const issues = plan.success ? checkPlan(plan.data.edits, { tools }).issues : [];
    return [...(error?.issues ?? []), ...issues].map(({ message }) => message);
  });
}
