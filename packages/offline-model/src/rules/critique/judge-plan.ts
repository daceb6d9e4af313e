/** Whether a plan has steps that repeat each other, lead nowhere or name a tool that there is not. */
import type { DraftStep, PlanCritiquePrompt } from "../../prompt/critique-prompt.ts";
import { coverage } from "../text/words.ts";
import { type Findings, findingsOf } from "./findings.ts";

/** The outputs of these are lost unless a step uses them. */
const FINDS_OUT = new Set(["sql.query", "docs.search", "http.fetch", "math.evaluate", "files.read"]);

export function judgePlan({ goal, tools, steps, answerFrom }: PlanCritiquePrompt): Findings {
  const issues = [
    ...(steps.length === 0 ? ["The plan has no steps."] : []),
    ...steps.filter(({ tool }) => tools.length > 0 && !tools.includes(tool)).map(unknownTool),
    ...repeated(steps),
    ...(answerFrom === null ? [] : unused(steps, answerFrom)),
  ];
  const looked = "for steps that repeat others, that nobody uses, or whose tool is not offered";
  const said = steps.map(({ description, args }) => `${description} ${JSON.stringify(args)}`).join(" ");
  return findingsOf(issues, { looked, likeness: coverage(goal, said) });
}

function unknownTool({ id, tool }: DraftStep): string {
  return `Step ${id} uses ${tool}, which is not offered.`;
}

function repeated(steps: readonly DraftStep[]): string[] {
  const seen = new Map<string, string>();
  return steps.flatMap(({ id, tool, args, needs }) => {
    const content = JSON.stringify([tool, args, needs]);
    const first = seen.get(content);
    if (first === undefined) seen.set(content, id);
    return first === undefined || !FINDS_OUT.has(tool) ? [] : [`Step ${id} repeats step ${first}.`];
  });
}

function unused(steps: readonly DraftStep[], answerFrom: string): string[] {
  const used = new Set([answerFrom, ...steps.flatMap(({ needs }) => needs)]);
  return steps
    .filter(({ id, tool }) => FINDS_OUT.has(tool) && !used.has(id))
    .map(({ id }) => `Nobody uses what step ${id} finds out.`);
}
