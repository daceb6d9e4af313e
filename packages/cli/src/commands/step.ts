import { formatDuration, formatUsd } from "@planwright/plan/amounts";
import { didYouMean } from "@planwright/plan/nearest-name";
import { type AttemptRecord, stepHistory, type StepHistory } from "@planwright/plan/step-history";
import { type StepInput, stepInputs } from "@planwright/plan/step-inputs";
import type { Json, PlanEvent, PlanView, StepView } from "@planwright/client";
import { isJsonObject } from "@planwright/plan";
import { readableValue } from "@planwright/plan/readable-value";
import { oneLine } from "@planwright/shared/terminal";
import { Command } from "commander";
import { styleText } from "node:util";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Output } from "../output/create-output.ts";
import type { Column } from "../output/table.ts";
import { stepLine } from "../plans/plan-text.ts";
import { findPlanId, PLAN_ARGUMENT, shortId } from "../plans/short-ids.ts";
import { textRenderer } from "../plans/show-answer.ts";
import { storedEvents } from "../plans/stored-events.ts";

const VALUE_CHARS_MAX = 20_000;
const ITEMS_SHOWN = 50;
const INPUT_LINES_SHOWN = 30;

/** `planwright step`: prints a step's input, output and attempts. */
export function stepCommand(context: CommandContext): Command {
  return new Command("step")
    .description("Show a step with its input, output and attempts")
    .argument("<plan>", PLAN_ARGUMENT)
    .argument("<step>", "Step ID")
    .action(async (plan: string, stepId: string, _options: unknown, command: Command) => {
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const planId = await findPlanId(client, plan);
      const view = await client.plans.get(planId);
      const step = stepOf(view, stepId);
      const events: PlanEvent[] = [];
      for await (const { event } of storedEvents(client, planId))
        if ("stepId" in event.data && event.data.stepId === stepId) events.push(event);
      const history = stepHistory(events, stepId);
      const inputs = stepInputs(view, step);
      const { attempts, files, usage } = history;
      const render = await textRenderer(output);
      output.result({ planId, ...step, inputs, attempts, files, usage }, () =>
        printStep({ view, step, inputs, history, output, render }),
      );
      if (step.child !== undefined) {
        output.note(`\nThe sub-plan of this step: ${COMMAND} show ${shortId(step.child)}`);
      }
    });
}

/** @throws {CliError} `refused` for a step that the plan does not have; the message lists those that it has. */
function stepOf({ planId, steps }: PlanView, stepId: string): StepView {
  const found = steps.find(({ id }) => id === stepId);
  if (found !== undefined) return found;
  const ids = steps.map(({ id }) => id);
  const message = `plan ${planId} has no step ${JSON.stringify(stepId)}${didYouMean(stepId, ids)}`;
  const hint = ids.length === 0 ? "It has no steps yet." : `Steps: ${ids.slice(0, ITEMS_SHOWN).join(", ")}`;
  throw new CliError(EXIT.refused, message, { hint });
}

type Shown = {
  readonly view: PlanView;
  readonly step: StepView;
  readonly inputs: readonly StepInput[];
  readonly history: StepHistory;
  readonly output: Output;
  /** Renders untrusted text. */
  readonly render: (text: string) => string;
};

function printStep({ view, step, inputs, history, output, render }: Shown): void {
  const { tool, dependsOn, items = [], error } = step;
  const { attempts, files, usage } = history;
  const heading = (text: string): void => output.line(`\n${styleText("bold", text)}`);
  output.line(stepLine(view, step));
  output.line(oneLine(`tool ${tool}${dependsOn.length === 0 ? "" : `  after ${dependsOn.join(", ")}`}`));
  heading("Input");
  if (inputs.length === 0) output.line("none");
  for (const input of inputs) output.line(inputText(input));
  heading("Output");
  const rows = rowsOf(step);
  if (rows === undefined) output.line(outputText(step, render));
  else printRows(rows, output);
  if (error !== undefined) output.line(styleText("red", oneLine(`${error.code}: ${error.message}`)));
  if (items.length > 0) {
    heading(`Items (${items.length})`);
    for (const { item, status } of items.slice(0, ITEMS_SHOWN)) output.line(`${item}  ${status}`);
    if (items.length > ITEMS_SHOWN)
      output.line(`and ${items.length - ITEMS_SHOWN} more (use --json to list them all)`);
  }
  if (files.length > 0) heading("Files");
  for (const { name, contentType, bytes } of files)
    output.line(oneLine(`${name}  ${contentType}  ${bytes} bytes`));
  heading("Attempts");
  if (attempts.length === 0) output.line("none");
  else output.table(attemptColumns(attempts, output), attempts);
  if (usage.modelCalls > 0)
    output.line(
      `${usage.modelCalls} model calls, ${usage.inputTokens} tokens in, ${usage.outputTokens} out${usage.costUsd === null ? "" : `, ${formatUsd(usage.costUsd)}`}`,
    );
}

function inputText({ name, planned, value = planned, origins, editedBy }: StepInput): string {
  const from =
    origins.length === 0
      ? ""
      : styleText("dim", `  from ${origins.map(({ text }) => oneLine(text)).join(", ")}`);
  const by = editedBy === undefined ? "" : styleText("dim", `  edited by ${oneLine(editedBy)}`);
  const text = value === undefined ? "removed" : cut(readableValue(value));
  const lines = firstLines(text.split("\n").map(oneLine));
  const [first = ""] = lines;
  if (lines.length === 1) return `${oneLine(name)}: ${first}${from}${by}`;
  return [`${oneLine(name)}:${from}${by}`, ...lines.map((line) => `  ${line}`)].join("\n");
}

function outputText({ output }: StepView, render: (text: string) => string): string {
  if (output === undefined) return "none";
  if ("value" in output) return render(cut(textOf(output.value)));
  const { name, bytes } = output.artifact;
  return `${oneLine(`${name} (${bytes} bytes)`)}\n${render(cut(output.preview))}`;
}

/** The text alone for a value such as `{"text": "…"}`, which models write. */
function textOf(value: Json): string {
  if (isJsonObject(value) && typeof value["text"] === "string" && Object.keys(value).length === 1)
    return value["text"];
  return readableValue(value);
}

type Row = Readonly<Record<string, Json>>;

/** Returns the rows of an output that is a table: a list of flat objects, as itself or in the field `rows`. */
function rowsOf({ output }: StepView): readonly Row[] | undefined {
  if (output === undefined || !("value" in output)) return undefined;
  const { value } = output;
  const rows = isJsonObject(value) ? value["rows"] : value;
  return Array.isArray(rows) && rows.length > 0 && rows.every(isFlat) ? rows : undefined;
}

function isFlat(row: Json): row is Row {
  return isJsonObject(row) && Object.values(row).every((cell) => typeof cell !== "object" || cell === null);
}

function printRows(rows: readonly Row[], output: Output): void {
  const names = [...new Set(rows.slice(0, ITEMS_SHOWN).flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => ({
    title: oneLine(name),
    of: (row: Row) => (typeof row[name] === "string" ? row[name] : JSON.stringify(row[name] ?? null)),
  }));
  output.table(columns, rows.slice(0, ITEMS_SHOWN));
  if (rows.length > ITEMS_SHOWN)
    output.line(`and ${rows.length - ITEMS_SHOWN} more rows (use --json for all)`);
}

function firstLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= INPUT_LINES_SHOWN) return lines;
  return [
    ...lines.slice(0, INPUT_LINES_SHOWN),
    `… ${lines.length - INPUT_LINES_SHOWN} more lines (use --json for all)`,
  ];
}

function cut(text: string): string {
  return text.length > VALUE_CHARS_MAX
    ? `${text.slice(0, VALUE_CHARS_MAX)}…\n(use --json for the whole value)`
    : text;
}

function attemptColumns(
  attempts: readonly AttemptRecord[],
  { time }: Output,
): readonly Column<AttemptRecord>[] {
  const hasItems = attempts.some(({ item }) => item > 0);
  return [
    { title: "ATTEMPT", of: ({ attempt, undo }) => `${attempt}${undo === true ? " (compensation)" : ""}` },
    ...(hasItems ? [{ title: "ITEM", of: ({ item }: AttemptRecord) => String(item) }] : []),
    {
      title: "OUTCOME",
      of: ({ outcome }) => outcome,
      style: ({ outcome }) => STYLES[outcome],
    },
    { title: "STARTED", of: ({ startedAt }) => (startedAt === undefined ? "" : time(startedAt)) },
    { title: "TOOK", of: ({ durationMs }) => (durationMs === undefined ? "" : formatDuration(durationMs)) },
    { title: "WORKER", of: ({ workerId }) => workerId },
    { title: "ERROR", of: ({ error }) => (error === undefined ? "" : `${error.code}: ${error.message}`) },
  ];
}

const STYLES = {
  running: "cyan",
  succeeded: "green",
  failed: "red",
  asked: "yellow",
  interrupted: "yellow",
} as const;
