import { formatCount, formatDuration, formatUsd } from "../../values/amounts.ts";
import type { PlanView } from "../plan-view.ts";
import { statusLabel } from "../status-label.ts";
import type { StepView } from "../step-view.ts";
import { strategyName } from "../../language/strategy-name.ts";

/** The heading of the answer is of the second level. */
const ANSWER_LEVEL = 2;
const LEVELS_MAX = 6;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^( {0,3})(#{1,6})(?=\s|$)/;
/** Characters with a meaning in Markdown or HTML. */
const SPECIAL = /[\\`*_[\]<>#|~&!]/g;

/**
 * Writes a plan as a report in Markdown: its goal, its course, its answer, its steps and its failures.
 *
 * The answer is Markdown itself and is copied, with its headings one level lower; all other texts are escaped.
 */
export function planAsMarkdown(view: PlanView): string {
  const parts = [
    `# ${plain(view.goal)}`,
    facts(view),
    ...answerPart(view),
    ...(view.steps.length === 0 ? [] : [`## Steps\n\n${stepsTable(view.steps)}`]),
    ...failurePart(view.steps),
  ];
  return `${parts.join("\n\n")}\n`;
}

function facts(view: PlanView): string {
  const { status, answer, submittedAt, endedAt, strategy, progress, usage, reason } = view;
  const took = endedAt === undefined ? undefined : Date.parse(endedAt) - Date.parse(submittedAt);
  const tokens = usage.inputTokens + usage.outputTokens;
  const rows = [
    ["Status", statusLabel(status, answer?.status)],
    ...(status === "succeeded" || reason === undefined ? [] : [["Reason", plain(reason)]]),
    ["Plan", `\`${view.planId}\``],
    ["Submitted", submittedAt],
    ...(took === undefined ? [] : [["Took", formatDuration(Math.max(0, took))]]),
    ["Strategy", strategyName(strategy)],
    ["Steps", `${progress.done} of ${progress.total} done`],
    ...(usage.modelCalls === 0
      ? []
      : [["Model", `${formatCount(usage.modelCalls, "call")}, ${formatCount(tokens, "token")}`]]),
    ...(usage.costUsd === null || usage.costUsd === 0 ? [] : [["Cost", formatUsd(usage.costUsd)]]),
  ];
  return rows.map(([name, value]) => `- **${name}:** ${value}`).join("\n");
}

function answerPart({ answer, steps }: PlanView): string[] {
  if (answer === undefined) return [];
  const named = new Set(answer.sources);
  const sources = steps.filter(({ id }) => named.has(id)).map(({ id }) => `\`${id}\``);
  return [
    "## Answer",
    lowerHeadings(answer.text),
    ...(sources.length === 0 ? [] : [`Sources: ${sources.join(", ")}`]),
  ];
}

function stepsTable(steps: readonly StepView[]): string {
  const rows = steps.map(({ id, description, tool, status, durationMs }) => {
    const took = durationMs === undefined ? "" : formatDuration(durationMs);
    return `| \`${id}\` | ${plain(description)} | \`${tool}\` | ${status} | ${took} |`;
  });
  return ["| Step | Description | Tool | Status | Took |", "| --- | --- | --- | --- | --: |", ...rows].join(
    "\n",
  );
}

function failurePart(steps: readonly StepView[]): string[] {
  const failed = steps.filter(({ error }) => error !== undefined);
  if (failed.length === 0) return [];
  const lines = failed.map(({ id, error }) => `- \`${id}\`: ${plain(error?.message ?? "")}`);
  return [`## What failed\n\n${lines.join("\n")}`];
}

/** The text on one line, with its Markdown escaped. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().replaceAll(SPECIAL, String.raw`\$&`);
}

/** Lowers headings below the heading of the answer; lines of code blocks are unchanged. */
function lowerHeadings(text: string): string {
  let fence: string | undefined;
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, mark] = FENCE.exec(line) ?? [];
      if (mark !== undefined) {
        if (fence === undefined) fence = mark;
        else if (mark.startsWith(fence)) fence = undefined;
        return line;
      }
      if (fence !== undefined) return line;
      return line.replace(
        HEADING,
        (_all, indent: string, signs: string) =>
          indent + "#".repeat(Math.min(LEVELS_MAX, signs.length + ANSWER_LEVEL)),
      );
    })
    .join("\n");
}
