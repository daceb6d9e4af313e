/** Runs a goal from plan to answer in one process: replies are parsed as by a planner, the tools are plain functions. */
import { fromWire, type Json } from "@planwright/shared/prompt";
import { z } from "zod";
import type { OfferedTool } from "../prompt/plan-prompt.ts";
import { ChatRequest } from "../protocol/chat-request.ts";
import { respond } from "../rules/respond.ts";
import type { SalesData } from "./sales-data.ts";

export const OFFERED_TOOLS: readonly OfferedTool[] = [
  offeredTool("flow.echo", "Return the value.", "value"),
  offeredTool("flow.wait", "Wait some milliseconds.", "ms value", "ms"),
  offeredTool(
    "model.write",
    "Ask a language model to write, summarize or compare.",
    "prompt context",
    "prompt",
  ),
  offeredTool("docs.search", "Search the installation's own documents.", "query limit", "query"),
  offeredTool("http.fetch", "Read one web page as text.", "url"),
  offeredTool("sql.query", "Run one read-only SELECT over a data source.", "source sql params", "source sql"),
  offeredTool("math.evaluate", "Calculate one expression exactly.", "expression variables", "expression"),
  offeredTool("files.write", "Write a file of the plan.", "path content"),
  offeredTool("files.read", "Read a file of the plan.", "path"),
  offeredTool("chart.render", "Draw a chart.", "spec data name", "spec"),
];

const Step = z.strictObject({
  id: z.string().regex(/^[a-z]\w*$/),
  description: z.string().min(1),
  tool: z.string(),
  args: z.record(z.string(), z.json()),
  dependsOn: z.array(z.string()),
  successCriteria: z.string().nullable(),
  expectedOutput: z.string().nullable(),
});
export type Step = z.infer<typeof Step>;

export const Plan = z.strictObject({
  reasoning: z.string().min(1),
  steps: z.array(Step),
  answerFrom: z.string().nullable(),
});
export type Plan = z.infer<typeof Plan>;

export const Judgement = z.strictObject({
  decision: z.enum(["answer", "revise"]),
  reason: z.string().nullable(),
  status: z.enum(["success", "partial", "no_match", "invalid_request", "unsupported_intent", "failed"]),
  text: z.string(),
  dataJson: z.string().nullable(),
  sources: z.array(z.string()),
});
export type Judgement = z.infer<typeof Judgement>;

export type ToolRun = (args: Record<string, unknown>) => unknown;

/** The model's whole reply to one user message; `role` is the schema's name, or null for free text. */
export async function askModel(role: string | null, user: string): Promise<string> {
  const format = { type: "json_schema", json_schema: { name: role ?? "" } };
  const request = { model: "any", messages: [{ role: "user", content: user }] };
  const reply = respond(ChatRequest.parse(role === null ? request : { ...request, response_format: format }));
  if (typeof reply === "string") return reply;
  if (!(Symbol.asyncIterator in reply)) return JSON.stringify(reply);
  let text = "";
  for await (const piece of reply) text += piece;
  return text;
}

export function block(tag: string, content: unknown): string {
  return `<${tag}>\n${typeof content === "string" ? content : JSON.stringify(content)}\n</${tag}>`;
}

type AskPlan = {
  readonly data?: SalesData;
  readonly tools?: readonly OfferedTool[];
  /** Further blocks by tag, such as `issues`. */
  readonly blocks?: Readonly<Record<string, unknown>>;
};

export async function askPlan(
  goal: string,
  { data, tools = OFFERED_TOOLS, blocks = {} }: AskPlan = {},
): Promise<Plan> {
  const parts = [block("goal", goal), block("tools", tools), block("data", data?.description ?? [])];
  const more = Object.entries(blocks).map(([tag, content]) => block(tag, content));
  const plan = Plan.parse(
    fromWire(JSON.parse(await askModel("plan", [...parts, ...more].join("\n"))) as Json),
  );
  checkPlan(plan, tools);
  return plan;
}

/** Requirements for every plan: offered tools, unique ids, and references to earlier steps only. */
function checkPlan({ steps }: Plan, tools: readonly OfferedTool[]): void {
  const seen = new Set<string>();
  for (const step of steps) {
    const text = JSON.stringify(step.args);
    const references = [...text.matchAll(/"\$ref":"(\w+)\.|\{\{(\w+)\./g)].map(
      (match) => match[1] ?? match[2],
    );
    const unknown = [...references, ...step.dependsOn].filter((id) => !seen.has(id ?? ""));
    if (unknown.length > 0)
      throw new Error(`step ${step.id} needs ${unknown.join(", ")}, which no earlier step is`);
    if (references.some((id) => !step.dependsOn.includes(id ?? "")))
      throw new Error(`step ${step.id} hides a dependency`);
    if (seen.has(step.id)) throw new Error(`step id ${step.id} is used twice`);
    const tool = tools.find(({ name }) => name === step.tool);
    if (tool === undefined) throw new Error(`step ${step.id} names ${step.tool}, which is not offered`);
    const { required, properties } = z
      .object({ required: z.array(z.string()), properties: z.looseObject({}) })
      .parse(tool.input);
    const missing = required.filter((name) => !(name in step.args));
    const extra = Object.keys(step.args).filter((name) => !(name in properties));
    if (missing.length + extra.length > 0)
      throw new Error(`arguments of ${step.id}: missing ${missing.join()}, unknown ${extra.join()}`);
    seen.add(step.id);
  }
}

export type Run = {
  readonly plan: Plan;
  readonly answer: Judgement;
  readonly outputs: ReadonlyMap<string, unknown>;
};

/** Plans, runs every step in order and judges; a tool that throws is a failed step, whose dependents are skipped. */
export async function runGoal(
  goal: string,
  options: AskPlan & { run?: Readonly<Record<string, ToolRun>> } = {},
): Promise<Run> {
  const plan = await askPlan(goal, options);
  const outputs = new Map<string, unknown>();
  const results: object[] = [];
  for (const { id, description, tool, args, dependsOn } of plan.steps) {
    if (dependsOn.some((needed) => !outputs.has(needed))) {
      results.push({ id, description, tool, status: "skipped" });
      continue;
    }
    try {
      const output = await runTool(tool, resolve(args, outputs), options);
      outputs.set(id, output);
      results.push({ id, description, tool, status: "succeeded", output });
    } catch (error) {
      results.push({ id, description, tool, status: "failed", error: String(error) });
    }
  }
  const prompt = [block("goal", goal), block("results", results), block("revisions_left", "3")].join("\n");
  return { plan, outputs, answer: Judgement.parse(JSON.parse(await askModel("judgement", prompt))) };
}

const QueryArgs = z.object({
  sql: z.string(),
  params: z.array(z.union([z.string(), z.number(), z.null()])).default([]),
});
const WriteArgs = z.object({ prompt: z.string(), context: z.json().optional() });

async function runTool(
  tool: string,
  args: unknown,
  { data, run = {} }: Parameters<typeof runGoal>[1] & object,
): Promise<unknown> {
  const own = run[tool];
  if (own !== undefined) return own(z.record(z.string(), z.unknown()).parse(args));
  if (tool === "sql.query" && data !== undefined) {
    const { sql, params } = QueryArgs.parse(args);
    const rows = data.query(sql, params);
    return { columns: Object.keys(rows[0] ?? {}), rows, rowCount: rows.length, truncated: false };
  }
  if (tool !== "model.write") throw new Error(`${tool} is not available`);
  const { prompt, context } = WriteArgs.parse(args);
  return {
    text: await askModel(
      null,
      context === undefined
        ? block("task", prompt)
        : `${block("task", prompt)}\n${block("context", context)}`,
    ),
  };
}

/** Replaces references and templates by the steps' outputs. */
function resolve(value: unknown, outputs: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === "string")
    return value.replace(/\{\{([^}]+)\}\}/g, (_, path: string) => String(lookUp(path, outputs)));
  if (Array.isArray(value)) return value.map((item) => resolve(item, outputs));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) return lookUp(String(value.$ref), outputs);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, outputs)]));
}

function lookUp(path: string, outputs: ReadonlyMap<string, unknown>): unknown {
  const [id = "", , ...keys] = path.replace(/\[(\d+)\]/g, ".$1").split(".");
  return keys.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null) return undefined;
    return Object.getOwnPropertyDescriptor(value, key)?.value;
  }, outputs.get(id));
}

/** The tools that an installation offers by default, as the planner's prompt lists them. */
export function offeredTool(name: string, description: string, args: string, required = args): OfferedTool {
  const names = (list: string) => list.split(" ").filter((arg) => arg !== "");
  const properties = Object.fromEntries(names(args).map((arg) => [arg, { type: "string" }]));
  return { name, description, input: { type: "object", properties, required: names(required) } };
}
