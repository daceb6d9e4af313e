/** The messages that ask for a draft: what a prompt says, and what this plan is for. */
import { speaksOfEach, toolSignature, toWireText } from "@planwright/plan";
import type { ModelMessage } from "@planwright/shared/model";
import { describeResults, factsBlocks, goalBlocks, jsonBlock, textBlock } from "@planwright/shared/prompt";
import type { DataSource, TableDescription } from "@planwright/shared/tools";
import type { DraftFormat, DraftRequest } from "./draft-request.ts";
import type { DraftRules } from "./draft-rules.ts";
import { offersTies } from "./offers-ties.ts";
import { pastPlansBlock } from "./past-plans.ts";

/** Room for the outputs of earlier steps: about 10,000 tokens. */
const RESULTS_CHARS_MAX = 40_000;
/** Room for the description of data; beyond it the sample values are left out. */
const DATA_CHARS_MAX = 60_000;
const SAMPLES_MAX = 5;
const SAMPLE_CHARS_MAX = 60;

/** What a prompt says itself. */
export type DraftTexts = DraftRules & {
  /** How to plan. */
  readonly system: string;
  /** How a step says how it is undone; told after the names of the tools that change something. */
  readonly undoing: string;
  /** What plans of before are good for; told only when there are some. */
  readonly learning: string;
  /** What the order of the steps means. */
  readonly order?: string;
};

/** Whether the model is told of steps that run for each of a list. */
export function offersLists({ strategy, goal, constraints, reason, earlier }: DraftRequest): boolean {
  if (strategy === "tree-search") return false;
  return (
    speaksOfEach([goal, ...constraints, reason ?? ""]) ||
    earlier.some(({ step }) => step.forEach !== undefined)
  );
}

/** Arranges a prompt's texts and everything that the draft is written from. */
export function draftMessages(
  request: DraftRequest,
  format: DraftFormat,
  { system, undoing, learning, order, ...told }: DraftTexts,
): readonly ModelMessage[] {
  const rules = [system];
  if (order !== undefined) rules.push(order);
  if (hasPastPlans(request)) rules.push(learning);
  if (request.asksConfidence === true) rules.push(told.doubt);
  if (request.asksReview === true) rules.push(told.judged);
  if (offersTies(request)) rules.push(told.ties);
  if (offersAgents(request)) rules.push(told.agents);
  if (offersLists(request)) rules.push(told.lists);
  const changing = [...request.tools.values()].filter(({ effect }) => effect !== "read");
  if (changing.length > 0) {
    rules.push(`${told.changing} ${changing.map(({ name }) => name).join(", ")}. ${undoing}`);
  }
  return [
    { role: "system", content: rules.join("\n\n") },
    { role: "user", content: blocksOf(request, format).join("\n") },
  ];
}

function blocksOf(request: DraftRequest, format: DraftFormat): readonly string[] {
  const { constraints, knowledge, reason, issues } = request;
  const blocks = goalBlocks(request);
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
  if (issues.length > 0) blocks.push(jsonBlock("issues", issues.map(toWireIssue)));
  return blocks;
}

/** Messages may quote references. */
export function toWireIssue<Told extends { readonly message: string }>(issue: Told): Told {
  return { ...issue, message: toWireText(issue.message) };
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
    return textBlock(
      "tools",
      specs.map((spec) => `${toolSignature(spec)}: ${toWireText(spec.description)}`).join("\n"),
    );
  }
  return jsonBlock(
    "tools",
    specs.map(({ name, description, input }) => ({ name, description: toWireText(description), input })),
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
