/** The messages that request a draft: a prompt's texts, and the content for this plan. */
import { describeArguments, type PastPlan, toolSignature, toWireText } from "@planwright/plan";
import type { ModelMessage } from "@planwright/shared/model";
import {
  describeResults,
  factsBlocks,
  goalBlocks,
  jsonBlock,
  textBlock,
  todayBlock,
} from "@planwright/shared/prompt";
import type { DataSource, TableDescription } from "@planwright/shared/tools";
import { type DraftFormat, type DraftRequest, listedTools } from "./draft-request.ts";
import { boundsForModel } from "./draft-size.ts";
import type { DraftRules } from "./draft-rules.ts";

/** Room for the outputs of earlier steps: about 10,000 tokens. */
const RESULTS_CHARS_MAX = 40_000;
/** Room for the description of data; beyond it, the sample values are left out. */
const DATA_CHARS_MAX = 60_000;
const SAMPLES_MAX = 5;
const SAMPLE_CHARS_MAX = 60;

/** A prompt's own texts. */
export type DraftTexts = DraftRules & {
  /** How to plan. */
  readonly system: string;
  /** How a step declares its compensation; included after the names of the tools that change something. */
  readonly undoing: string;
  /** How to use past plans; included only when there are some. */
  readonly learning: string;
  /** What the order of the steps means. */
  readonly order?: string;
};

/**
 * Arranges a prompt's texts and everything that the draft is based on.
 *
 * The parts that are the same for every goal come first, so that model servers can reuse their cache: the rules, then tools,
 * agents and data; then the date and the goal, and finally what is specific to this plan.
 */
export function draftMessages(
  request: DraftRequest,
  format: DraftFormat,
  { system, undoing, learning, order, ...told }: DraftTexts,
): readonly ModelMessage[] {
  const rules = [system];
  if (order !== undefined) rules.push(order);
  if (request.asksConfidence === true) rules.push(told.doubt);
  if (request.asksReview === true) rules.push(told.judged);
  if (offersAgents(request)) rules.push(told.agents);
  const changing = listedTools(request).filter(({ effect }) => effect !== "read");
  if (changing.length > 0) {
    rules.push(`${told.changing} ${changing.map(({ name }) => name).join(", ")}. ${undoing}`);
  }
  return [
    { role: "system", content: rules.join("\n\n") },
    { role: "user", content: blocksOf(request, format, { learning, ...told }).join("\n") },
  ];
}

function blocksOf(
  request: DraftRequest,
  format: DraftFormat,
  told: Pick<DraftTexts, "learning" | "sized" | "earlier" | "revision" | "faults">,
): readonly string[] {
  const { knowledge, reason, issues, size } = request;
  const blocks = [toolsBlock(request, format)];
  if (offersAgents(request)) blocks.push(jsonBlock("agents", describeAgents(request)));
  if (format === "json" || request.sources.length > 0) {
    blocks.push(jsonBlock("data", describeData(request.sources)));
  }
  blocks.push(...wantedBlocks(request));
  if (size !== undefined) blocks.push(told.sized, jsonBlock("plan_size", boundsForModel(size)));
  if (hasPastPlans(request)) blocks.push(told.learning, pastPlansBlock(request.pastPlans));
  const { results, left } = describeResults(request.earlier, { charsMax: RESULTS_CHARS_MAX });
  if (knowledge !== undefined) blocks.push(...factsBlocks({ knowledge }));
  if (left > 0) blocks.push(`${left} steps of earlier drafts are not shown.`);
  if (results.length > 0) blocks.push(told.earlier, jsonBlock("results", results));
  if (reason !== undefined) blocks.push(told.revision, textBlock("reason", reason));
  if (issues.length > 0) blocks.push(told.faults, jsonBlock("issues", issues.map(toWireIssue)));
  return blocks;
}

/** The date, the goal and its constraints: the first blocks that differ from plan to plan. */
export function wantedBlocks({ today, constraints, ...goal }: DraftRequest): readonly string[] {
  const blocks = today === undefined ? [] : [todayBlock(today)];
  blocks.push(...goalBlocks(goal));
  if (constraints.length > 0) blocks.push(jsonBlock("constraints", constraints));
  return blocks;
}

/** Converts references that a message quotes. */
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

/** Each tool with its arguments, one per line. */
export function toolsBlock(request: DraftRequest, format: DraftFormat): string {
  const specs = listedTools(request);
  if (format === "lines") {
    return textBlock(
      "tools",
      specs.map((spec) => `${toolSignature(spec)}: ${toWireText(spec.description)}`).join("\n"),
    );
  }
  return jsonBlock(
    "tools",
    specs.map((spec) => ({
      name: spec.name,
      args: describeArguments(spec),
      description: toWireText(spec.description),
    })),
  );
}

/** Sources with their tables, columns and a few values; without the values if there is too much data. */
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
      .slice(0, column.complete === true && samplesMax > 0 ? column.samples.length : samplesMax)
      .map((sample) => (typeof sample === "string" ? sample.slice(0, SAMPLE_CHARS_MAX) : sample)),
    ...(column.complete === true && samplesMax > 0 ? { complete: true } : {}),
    ...(column.unique === true ? { unique: true } : {}),
    ...(column.empty === undefined ? {} : { empty: column.empty }),
    ...(column.min === undefined || samplesMax === 0 ? {} : { min: column.min }),
    ...(column.max === undefined || samplesMax === 0 ? {} : { max: column.max }),
  }));
  return { name, rows, columns: shown };
}

/** One line for each, without what is the default. */
function pastPlansBlock(pastPlans: readonly PastPlan[]): string {
  return jsonBlock("past_plans", pastPlans.map(described));
}

function described({ goal, how, outcome, note, replans, edits, rating }: PastPlan) {
  return {
    goal,
    steps: how,
    ended: outcome,
    why: note,
    ...(replans === 0 ? {} : { revisions: replans }),
    ...(edits === 0 ? {} : { changed_by_people: edits }),
    ...(rating === undefined ? {} : { rating: `${rating} of 5` }),
  };
}
