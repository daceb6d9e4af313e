/** The planner's prompt as the rules read it. A missing or malformed block reads as empty. */
import type { BlockTag } from "@planwright/shared/prompt";
import { z } from "zod";
import { readBlocks } from "./read-blocks.ts";

export type OfferedTool = {
  readonly name: string;
  readonly description: string;
  /** The properties of its arguments as JSON Schema, as far as the prompt lists them. */
  readonly input: Readonly<Record<string, unknown>>;
};

/** A tool as prompts list it: with its JSON Schema, or with `args` such as `{"limit?": "integer: Number of passages"}`. */
const OfferedTool = z
  .object({
    name: z.string(),
    description: z.string().default(""),
    input: z.record(z.string(), z.json()).optional(),
    args: z.union([z.record(z.string(), z.string()), z.string()]).default({}),
  })
  .transform(({ name, description, input, args }): OfferedTool => {
    if (input !== undefined) return { name, description, input };
    const described = typeof args === "string" ? [] : Object.entries(args);
    const properties = described.map(([arg, type]) => [arg.replace(/\?$/, ""), readType(type)] as const);
    const required = described.flatMap(([arg]) => (arg.endsWith("?") ? [] : [arg]));
    return {
      name,
      description,
      input: { type: "object", properties: Object.fromEntries(properties), required },
    };
  });

const DataColumn = z.object({
  name: z.string(),
  type: z.string().default(""),
  samples: z.array(z.json()).default([]),
  /** The samples are all values of the column. */
  complete: z.boolean().default(false),
  /** Every row has a different value. */
  unique: z.boolean().optional(),
  /** Number of rows without a value. */
  empty: z.number().optional(),
  /** For numbers and dates: the lowest and the highest. */
  min: z.union([z.string(), z.number()]).optional(),
  max: z.union([z.string(), z.number()]).optional(),
});

const DataTable = z.object({
  name: z.string(),
  rows: z.number().nullish(),
  columns: z.array(DataColumn).default([]),
});

const DataSource = z.object({ source: z.string(), tables: z.array(DataTable).default([]) });
export type DataSource = z.infer<typeof DataSource>;

const StepResult = z.object({
  id: z.string(),
  description: z.string().default(""),
  tool: z.string().default(""),
  status: z.string().default("succeeded"),
  output: z.json().optional(),
  error: z.json().optional(),
  /** The step that delivered a result in its place. */
  deliveredBy: z.string().optional(),
});
export type StepResult = z.infer<typeof StepResult>;

const Issue = z.object({
  stepId: z.string().nullish(),
  field: z.string().nullish(),
  message: z.string().default(""),
});
export type Issue = z.infer<typeof Issue>;

const Inserted = z.object({ text: z.string() });

const Size = z.object({
  min: z
    .number()
    .nullish()
    .transform((min) => min ?? null),
  max: z
    .number()
    .nullish()
    .transform((max) => max ?? null),
});

export type PlanPrompt = {
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly tools: readonly OfferedTool[];
  readonly data: readonly DataSource[];
  readonly results: readonly StepResult[];
  /** Why a revision is requested; null for a first plan. */
  readonly reason: string | null;
  readonly issues: readonly Issue[];
  /** The requested number of steps; null when the submission does not specify it. */
  readonly size: { readonly min: number | null; readonly max: number | null } | null;
};

export type JudgementPrompt = Pick<PlanPrompt, "goal" | "constraints" | "results"> & {
  readonly revisionsLeft: number;
};

export type WritePrompt = { readonly task: string; readonly context: string | null };

export function readPlanPrompt(prompt: string): PlanPrompt {
  const blocks = readBlocks(prompt);
  return {
    goal: filled(blocks, "goal") ?? "",
    constraints: readConstraints(blocks),
    tools: readList(blocks, "tools", OfferedTool),
    data: readList(blocks, "data", DataSource),
    results: readList(blocks, "results", StepResult),
    reason: blocks.get("reason") ?? null,
    issues: readList(blocks, "issues", Issue),
    size: Size.nullable()
      .catch(null)
      .parse(parseJson(blocks.get("plan_size") ?? "null") ?? null),
  };
}

export function readJudgementPrompt(prompt: string): JudgementPrompt {
  const blocks = readBlocks(prompt);
  return {
    goal: filled(blocks, "goal") ?? "",
    constraints: readConstraints(blocks),
    results: readList(blocks, "results", StepResult),
    revisionsLeft: z.coerce.number().catch(0).parse(blocks.get("revisions_left")),
  };
}

/** A prompt without blocks is one whole task. References in it are replaced by content: rules follow no instructions. */
export function readWritePrompt(prompt: string): WritePrompt {
  const blocks = readBlocks(prompt);
  return { task: filled(blocks, "task") ?? prompt, context: blocks.get("context") ?? null };
}

/** A text with its references replaced by content. */
function filled(blocks: ReadonlyMap<BlockTag, string>, tag: BlockTag): string | undefined {
  const inserted = readList(blocks, "references", Inserted).values();
  return blocks
    .get(tag)
    ?.replaceAll(/\{\{[^{}]*\}\}/g, (reference) => inserted.next().value?.text ?? reference);
}

/** Steps and their results, from a block that lists them. */
export function readResults(
  blocks: ReadonlyMap<BlockTag, string>,
  tag: "results" | "path" | "actions",
): readonly StepResult[] {
  return readList(blocks, tag, StepResult);
}

function readConstraints(blocks: ReadonlyMap<BlockTag, string>): readonly string[] {
  const text = blocks.get("constraints");
  if (text === undefined) return [];
  const list = z.array(z.string()).safeParse(parseJson(text));
  return list.success ? list.data : [text];
}

const CHOICES = /^"[^"]*"(?: \| "[^"]*")*(?=:|$)/;
const SIMPLE_TYPE = /^(?:string|number|integer|boolean)(?=:|$)/;
/** Lists, objects, unions and anything: left open. */
const OTHER_TYPE = /^(?:\[|\{|any(?=:|$)|(?:string|number|integer|boolean|null|"[^"]*") \|)/;

/** The type of an argument: `"a" | "b": What for` is an enum, `integer: What for` a type, and `What for` alone a string. */
function readType(described: string): Readonly<Record<string, unknown>> {
  const choices = CHOICES.exec(described)?.[0];
  if (choices !== undefined) return { enum: choices.split(" | ").map((choice) => choice.slice(1, -1)) };
  const type = SIMPLE_TYPE.exec(described)?.[0];
  if (type !== undefined) return { type };
  return OTHER_TYPE.test(described) ? {} : { type: "string" };
}

/** Keeps the readable items: one malformed item must not hide the others. */
function readList<T>(blocks: ReadonlyMap<BlockTag, string>, tag: BlockTag, item: z.ZodType<T>): readonly T[] {
  const list = z.array(z.unknown()).safeParse(parseJson(blocks.get(tag) ?? "[]"));
  if (!list.success) return [];
  return list.data.flatMap((value) => {
    const parsed = item.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
