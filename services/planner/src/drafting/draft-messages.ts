/** The messages that ask for a draft: what a prompt says, and what this plan is for. */
import { speaksOfEach, toolSignature } from "@planwright/plan";
import type { ModelMessage } from "@planwright/shared/model";
import { describeResults, factsBlocks, jsonBlock, textBlock } from "@planwright/shared/prompt";
import type { DataSource, TableDescription } from "@planwright/shared/tools";
import type { DraftFormat, DraftRequest } from "./draft-request.ts";
import { offersTies } from "./offers-ties.ts";
import { pastPlansBlock } from "./past-plans.ts";

/** Room for the outputs of earlier steps: about 10,000 tokens. */
const RESULTS_CHARS_MAX = 40_000;
/** Room for the description of data; beyond it the sample values are left out. */
const DATA_CHARS_MAX = 60_000;
const SAMPLES_MAX = 5;
const SAMPLE_CHARS_MAX = 60;

/** What a prompt says itself. */
export type DraftTexts = {
  /** How to plan. */
  readonly system: string;
  /** How a step says how it is undone; told after the names of the tools that change something. */
  readonly undoing: string;
  /** What plans of before are good for; told only when there are some. */
  readonly learning: string;
  /** What the order of the steps means. */
  readonly order?: string;
};

const DOUBT =
  'Say with each step, and at the end with the whole plan, how sure you are of it: "confidence", from 0 (a guess) to 1 (certain). A person looks at what you doubt, so say what is true and not what is welcome.';

const JUDGED =
  'Each step with "successCriteria" or "expectedOutput" is judged by them, and one that misses them has the plan changed: write them where they can be checked. A step that writes text for the reader may have "review": {"maxIterations": 3}: it is then written again, at most so often in all, until a critic approves; else null.';
const JUDGED_IN_LINES =
  'Each step that says right behind its arguments what is expected of it is judged by that, and one that misses it has the plan changed: expect "names a price". A step that writes text for the reader may end that with: review 3. It is then written again, at most so often in all, until a critic approves.';

const AGENTS =
  '<agents> lists kinds of workers, each with what it is for and the only tools that its steps may use. A step that is the work of one of them names it: "agent": its name; otherwise "agent" is null.';
const AGENTS_IN_LINES =
  "<agents> lists kinds of workers, each with what it is for and the only tools that its steps may use. A step that is the work of one of them says so right behind its arguments: by and the name.";

const LISTS =
  'What has to be done for each of a list is one step, whose flow names the list: {"when": null, "forEach": "s1.output.rows"}. It runs once for each entry, all at the same time. In its arguments {"$ref": "item"} is the entry and {{item.name}} a part of it inside a text; its output is the list of what the runs put out, in order.';
const LISTS_IN_LINES =
  "What has to be done for each of a list is one step. End its line with: for each s1.output.rows. It runs once for each entry, which is {{item}} or {{item.name}} in its arguments; its output is the list of what the runs put out, in order.";

/** Whether the model is told of steps that run for each of a list. */
export function offersLists({ strategy, goal, constraints, reason, earlier }: DraftRequest): boolean {
  if (strategy === "tree-search") return false;
  return (
    speaksOfEach([goal, ...constraints, reason ?? ""]) ||
    earlier.some(({ step }) => step.forEach !== undefined)
  );
}

const TIES =
  'The flow of a step may also say which step it checks, {"verifies": "s1"}: nothing else uses s1 before, and s1 fails when the step fails or its output is {"ok": false, "issues": […]}. And which step, written after it, runs only if it fails and delivers in its place: {"fallback": "s3"}.';
const TIES_IN_LINES =
  'A line may also end with: verifies s1 (nothing else uses s1 before, and s1 fails when the step fails or its output is {"ok": false, "issues": […]}), or with: else s3 (a step below, which runs only if this one fails and delivers in its place). Either stands before when.';

/** Arranges a prompt's texts and everything that the draft is written from. */
export function draftMessages(
  request: DraftRequest,
  format: DraftFormat,
  { system, undoing, learning, order }: DraftTexts,
): readonly ModelMessage[] {
  const rules = [system];
  if (order !== undefined) rules.push(order);
  if (hasPastPlans(request)) rules.push(learning);
  if (request.asksConfidence === true) rules.push(DOUBT);
  if (request.asksReview === true) rules.push(format === "lines" ? JUDGED_IN_LINES : JUDGED);
  if (offersTies(request)) rules.push(format === "lines" ? TIES_IN_LINES : TIES);
  if (offersAgents(request)) rules.push(format === "lines" ? AGENTS_IN_LINES : AGENTS);
  if (offersLists(request)) rules.push(format === "lines" ? LISTS_IN_LINES : LISTS);
  const changing = [...request.tools.values()].filter(({ effect }) => effect !== "read");
  if (changing.length > 0) {
    rules.push(`These tools change something: ${changing.map(({ name }) => name).join(", ")}. ${undoing}`);
  }
  return [
    { role: "system", content: rules.join("\n\n") },
    { role: "user", content: blocksOf(request, format).join("\n") },
  ];
}

function blocksOf(request: DraftRequest, format: DraftFormat): readonly string[] {
  const { goal, constraints, knowledge, reason, issues } = request;
  const blocks = [textBlock("goal", goal)];
  if (constraints.length > 0) blocks.push(jsonBlock("constraints", constraints));
  blocks.push(toolsBlock(request, format));
  if (offersAgents(request)) blocks.push(jsonBlock("agents", describeAgents(request)));
  if (format === "json" || request.sources.length > 0) {
    blocks.push(jsonBlock("data", describeData(request.sources)));
  }
  if (hasPastPlans(request)) blocks.push(pastPlansBlock(request.pastPlans));
  const { results, left } = describeResults(request.earlier, { charsMax: RESULTS_CHARS_MAX });
  if (knowledge !== undefined) blocks.push(...factsBlocks({ knowledge }));
  if (left > 0) blocks.push(`Of the steps of earlier drafts, ${left} are not shown.`);
  if (results.length > 0) blocks.push(jsonBlock("results", results));
  if (reason !== undefined) blocks.push(textBlock("reason", reason));
  if (issues.length > 0) blocks.push(jsonBlock("issues", issues));
  return blocks;
}

function offersAgents({ agents }: DraftRequest): boolean {
  return agents !== undefined && agents.types.size > 0;
}

function describeAgents({ agents, tools }: DraftRequest) {
  return Array.from(agents?.types ?? [], ([agent, type]) => ({
    agent,
    description: type.description,
    tools: type.tools.filter((name) => tools.has(name)),
  }));
}

function hasPastPlans(
  request: DraftRequest,
): request is DraftRequest & { readonly pastPlans: NonNullable<DraftRequest["pastPlans"]> } {
  return request.pastPlans !== undefined && request.pastPlans.length > 0;
}

/** With its schema, where a reply is held to one; else as a signature, which says the same in fewer words. */
export function toolsBlock({ tools }: DraftRequest, format: DraftFormat): string {
  const specs = [...tools.values()];
  if (format === "lines") {
    return textBlock("tools", specs.map((spec) => `${toolSignature(spec)}: ${spec.description}`).join("\n"));
  }
  return jsonBlock(
    "tools",
    specs.map(({ name, description, input }) => ({ name, description, input })),
  );
}

/** Sources with their tables, columns and a few values; without the values where there is too much of them. */
export function describeData(sources: readonly DataSource[]): unknown[] {
  const described = sources.map((source) => describeSource(source, SAMPLES_MAX));
  if (JSON.stringify(described).length <= DATA_CHARS_MAX) return described;
  return sources.map((source) => describeSource(source, 0));
}

function describeSource({ name, kind, tables = [] }: DataSource, samplesMax: number) {
  return { source: name, kind, tables: tables.map((table) => describeTable(table, samplesMax)) };
}

function describeTable({ name, rows, columns }: TableDescription, samplesMax: number) {
  const shown = columns.map((column) => ({
    name: column.name,
    type: column.type,
    samples: column.samples
      .slice(0, samplesMax)
      .map((sample) => (typeof sample === "string" ? sample.slice(0, SAMPLE_CHARS_MAX) : sample)),
  }));
  return { name, rows, columns: shown };
}
