/** The steps that produce something from the findings: charts, one text, files. */
import { shorten, spokenName } from "../text/format-value.ts";
import type { Clause, DraftContext, Finding } from "./draft-context.ts";
import { plainText } from "./plain-text.ts";

/** Starts the description of a step that combines all findings; the answer then need not repeat them. */
export const WRITE_UP = "Write up: ";

export function addOutputs(goal: string, clauses: readonly Clause[], context: DraftContext): void {
  const charts = clauses.filter(({ wishes }) => wishes.chart).flatMap((clause) => addChart(clause, context));
  for (const clause of clauses.filter(({ wishes }) => wishes.text === "creative"))
    addCreativeText(clause, context);
  const reports = clauses.filter((clause) => wantsText(clause, context));
  const file = clauses.find(({ wishes }) => wishes.file !== null)?.wishes.file ?? null;
  const text = reports.length > 0 || file !== null ? addReport(goal, reports, context) : null;
  if (file !== null) addFile(file, text, context);
  if (charts.length > 1) context.notes.add("Each chart draws one query.");
}

/** A comparison within one query needs no separate text: its rows are the comparison. */
function wantsText({ text, wishes }: Clause, { findings }: DraftContext): boolean {
  if (wishes.text !== "report") return false;
  const own = findings.filter(({ clause }) => clause === text);
  const onlyCompares = !/\b(summar|report|overview|briefing|memo|digest|conclu|recommend|write)/i.test(text);
  return !(onlyCompares && own.length === 1 && own[0]?.query !== undefined);
}

function addChart(clause: Clause, { roles, list, findings, notes }: DraftContext): readonly string[] {
  const drawable = (finding: Finding) =>
    finding.query !== undefined && finding.query.label !== null && finding.query.value !== null;
  const own = findings.find((finding) => finding.clause === clause.text && drawable(finding));
  const finding = own ?? findings.findLast(drawable);
  if (roles.chart === null || finding?.query === undefined) {
    notes.add(
      roles.chart === null
        ? "No offered tool draws charts."
        : "There are no rows with a figure each to draw.",
    );
    return [];
  }
  const { label, value } = finding.query;
  const isPeriod = /^(year|half|quarter|month)$/.test(label ?? "");
  const line = isPeriod && !/\bbar\b/i.test(clause.text);
  const spec = {
    title: finding.label,
    mark: line ? { type: "line", point: true } : "bar",
    encoding: {
      x: { field: label, type: isPeriod ? "ordinal" : "nominal", sort: null, title: spokenName(label ?? "") },
      y: { field: value, type: "quantitative", title: spokenName(value ?? "") },
    },
  };
  return [
    list.add({
      tool: roles.chart.name,
      args: { spec, data: { $ref: `${finding.stepId}.output.rows` } },
      description: `Draw: ${finding.label}`,
      expectedOutput: "a chart",
    }),
  ];
}

function addCreativeText({ text }: Clause, { roles, list, notes }: DraftContext): void {
  notes.add("Rules cannot write freely; that step says so.");
  if (roles.write === null) return;
  list.add({
    tool: roles.write.name,
    args: { prompt: plainText(text) },
    description: `Write freely: ${plainText(text).slice(0, 120)}`,
    expectedOutput: "text",
  });
}

/** One text for all clauses that request one; null when there is no writing tool. */
function addReport(goal: string, clauses: readonly Clause[], draft: DraftContext): string | null {
  const { roles, list, findings, notes } = draft;
  if (roles.write === null) {
    notes.add("No offered tool writes texts.");
    return null;
  }
  const wanted =
    clauses.map(({ text }) => plainText(text).replace(/\s+/g, " ")).join("; ") || "Write down what was found";
  const prompt = wanted === goal.trim() ? wanted : `${wanted}\nThe goal: ${plainText(goal)}`;
  const context = Object.fromEntries(
    findings.map(({ stepId, label }) => [plainText(label), { $ref: `${stepId}.output` }]),
  );
  if (findings.length === 0) notes.add("Nothing was looked up for the text.");
  return list.add({
    tool: roles.write.name,
    args: { prompt, ...(findings.length === 0 ? {} : { context }) },
    description: `${WRITE_UP}${shorten(wanted, 200)}`,
    expectedOutput: "a text that names its sources",
  });
}

function addFile(
  path: string,
  textStepId: string | null,
  { roles, list, findings, notes }: DraftContext,
): void {
  if (roles.save === null) {
    notes.add("No offered tool writes files.");
    return;
  }
  const content =
    textStepId === null
      ? findings.map(({ label, stepId }) => `${plainText(label)}\n{{${stepId}.output}}`).join("\n\n")
      : `{{${textStepId}.output.text}}`;
  if (content === "") return;
  list.add({
    tool: roles.save.name,
    args: { path, content },
    description: `Save to ${path}`,
    expectedOutput: "the file's path and size",
  });
}
