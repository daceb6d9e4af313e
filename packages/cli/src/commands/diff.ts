import { formatDuration, formatUsd } from "@planwright/plan/amounts";
import {
  type Change,
  comparePlans,
  diffText,
  type ComparedStep,
  type Figure,
  type PlanComparison,
  type TextPart,
} from "@planwright/plan/compare";
import { statusLabel } from "@planwright/plan/status-label";
import type { Json, PlanView } from "@planwright/client";
import { canonicalJson, isJsonObject } from "@planwright/plan";
import { oneLine, linePart } from "@planwright/shared/terminal";
import { Command } from "commander";
import { styleText } from "node:util";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Output } from "../output/create-output.ts";
import type { Column } from "../output/table.ts";
import { findPlanId, shortIdsOf } from "../plans/short-ids.ts";

const VALUE_CHARS_MAX = 300;
const STEPS_SHOWN = 100;
/** Longer texts are compared word by word. */
const LONG_CHARS = 80;
/** How much unchanged text is shown around a difference. */
const CONTEXT_CHARS = 40;

/** `planwright diff`: compares two plans. */
export function diffCommand(context: CommandContext): Command {
  return new Command("diff")
    .description("Compare two plans: goal, steps, outcome, metrics and answer")
    .argument("<left>", "ID of the first plan, or its first characters")
    .argument("<right>", "ID of the second plan, or its first characters")
    .action(async (left: string, right: string, _options: unknown, command: Command) => {
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const views = await Promise.all(
        [left, right].map(async (plan) => client.plans.get(await findPlanId(client, plan))),
      );
      const [before, after] = views;
      if (before === undefined || after === undefined) return;
      const comparison = comparePlans(before, after);
      output.result(comparison, () => print(comparison, [before, after], output));
    });
}

function print(comparison: PlanComparison, views: readonly PlanView[], output: Output): void {
  const { fork, changes, figures, steps, counts, answer } = comparison;
  const heading = (text: string): void => output.line(`\n${styleText("bold", text)}`);
  const shortId = shortIdsOf(views.map(({ planId }) => planId));
  views.forEach(({ planId, goal, status, submittedAt, answer: given }, index) => {
    const id = output.kind === "terminal" ? shortId(planId) : planId;
    output.line(
      `${index === 0 ? removed("-") : added("+")} ${id}  ${statusLabel(status, given?.status)}  ${output.time(submittedAt)}  ${oneLine(goal)}`,
    );
  });
  if (fork !== undefined)
    output.line(
      oneLine(
        `The ${fork.side === "right" ? "second" : "first"} plan is a fork of the other at step ${fork.fromStep}.`,
      ),
    );
  for (const change of changes) for (const line of changeLines(change, "")) output.line(line);
  heading(
    `Steps: ${counts.changed} changed, ${counts["only-left"]} removed, ${counts["only-right"]} added, ${counts.same} the same`,
  );
  const shown = steps.filter(({ kind }) => kind !== "same");
  for (const step of shown.slice(0, STEPS_SHOWN)) for (const line of stepLines(step)) output.line(line);
  if (shown.length > STEPS_SHOWN)
    output.line(`and ${shown.length - STEPS_SHOWN} more (use --json to list them all)`);
  const different = figures.filter(({ left, right }) => left !== right);
  if (different.length > 0) {
    heading("Metrics");
    output.table(COLUMNS, different);
  }
  heading(`Answer${answer.isSame ? ": the same" : ""}`);
  if (!answer.isSame) output.line(wordDiff(answer.text));
}

const COLUMNS: readonly Column<Figure>[] = [
  { title: "METRIC", of: ({ name }) => name },
  { title: "FIRST", of: ({ unit, left }) => amountText(unit, left) },
  { title: "SECOND", of: ({ unit, right }) => amountText(unit, right) },
];

function amountText(unit: Figure["unit"], amount: number | null): string {
  if (amount === null) return "-";
  if (unit === "ms") return formatDuration(amount);
  return unit === "usd" ? formatUsd(amount) : String(amount);
}

function stepLines(step: ComparedStep): string[] {
  if (step.kind === "only-left") return [removed(`- ${oneLine(titleOf(step.left))}`)];
  if (step.kind === "only-right") return [added(`+ ${oneLine(titleOf(step.right))}`)];
  const { left, right, changes, output } = step;
  const outputLine =
    output === "different" || output === "one"
      ? [`    output: ${output === "one" ? "only one plan has it" : "different"}`]
      : [];
  const id = left.id === right.id ? left.id : `${left.id} → ${right.id}`;
  return [
    styleText("yellow", `~ ${oneLine(id)}  ${oneLine(right.tool)}`),
    ...changes.flatMap((change) => changeLines(change, "    ")),
    ...outputLine,
  ];
}

function titleOf({ id, tool, description }: { id: string; tool: string; description: string }): string {
  return `${id}  ${tool}  ${description}`;
}

/** Shows the fields in which two objects differ, and the words in which two texts differ. */
function changeLines({ field, left, right }: Change, indent: string): string[] {
  if (left !== undefined && right !== undefined && isJsonObject(left) && isJsonObject(right)) {
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return names
      .filter((name) => canonicalJson(left[name]) !== canonicalJson(right[name]))
      .flatMap((name) =>
        changeLines({ field: `${field}.${name}`, left: left[name], right: right[name] }, indent),
      );
  }
  const name = `${indent}${oneLine(field)}:`;
  if (isLong(left) && isLong(right)) {
    const lines = wordDiff(diffText(left, right), CONTEXT_CHARS).split("\n");
    return [name, ...lines.map((line) => `${indent}  ${line}`)];
  }
  return [
    name,
    `${indent}  ${removed(`- ${sideText(left)}`)}`,
    `${indent}  ${added(`+ ${sideText(right)}`)}`,
  ];
}

function isLong(value: Json | undefined): value is string {
  return typeof value === "string" && value.length > LONG_CHARS;
}

function sideText(value: Json | undefined): string {
  if (value === undefined) return "none";
  return oneLine(typeof value === "string" ? value : JSON.stringify(value)).slice(0, VALUE_CHARS_MAX);
}

/** Marks differences of texts as `git diff --word-diff` does, so that they can be read without colours. */
export function removed(text: string): string {
  return styleText("red", text);
}

export function added(text: string): string {
  return styleText("green", text);
}

/**
 * Renders `one [-two-]{+2+} three`. A word of which a part differs is shown whole. Control characters are stripped.
 *
 * @param context - The number of unchanged characters to show around each difference; default: all.
 */
export function wordDiff(parts: readonly TextPart[], context = Number.POSITIVE_INFINITY): string {
  const words = wholeWords(parts);
  return words
    .map(({ left, right }, index) => {
      if (left !== right) return `${marked("[-", left, "-]", removed)}${marked("{+", right, "+}", added)}`;
      return shortened(clean(left), { context, isFirst: index === 0, isLast: index === words.length - 1 });
    })
    .join("");
}

function marked(begin: string, text: string, end: string, style: (text: string) => string): string {
  return text === "" ? "" : style(`${begin}${clean(text)}${end}`);
}

type Pair = { left: string; right: string };

/** Extends each difference to the spaces around it. */
function wholeWords(parts: readonly TextPart[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let open: Pair = { left: "", right: "" };
  const close = (): void => {
    const last = pairs.at(-1);
    if (open.left !== open.right) pairs.push(open);
    else if (last !== undefined && last.left === last.right) pairs.splice(-1, 1, same(last.left + open.left));
    else if (open.left !== "") pairs.push(open);
    open = same("");
  };
  for (const { side, text } of parts) {
    if (side !== "both") open[side] += text;
    else
      for (const piece of text.split(/(\s+)/)) {
        const isSpace = piece.trim() === "";
        if (isSpace || endsInSpace(open)) close();
        open.left += piece;
        open.right += piece;
        if (isSpace) close();
      }
  }
  close();
  return pairs;
}

function endsInSpace({ left, right }: Pair): boolean {
  return [left, right].every((text) => text === "" || /\s$/.test(text));
}

function same(text: string): Pair {
  return { left: text, right: text };
}

type Shortening = { readonly context: number; readonly isFirst: boolean; readonly isLast: boolean };

function shortened(text: string, { context, isFirst, isLast }: Shortening): string {
  if (text.length <= 2 * context + 1) return text;
  return `${isFirst ? "" : text.slice(0, context)}…${isLast ? "" : text.slice(-context)}`;
}

function clean(text: string): string {
  return text.split("\n").map(linePart).join("\n");
}
