/** The steps of one clause that find something out, tried in order of certainty. */
import { doubtfulCount } from "../data/doubtful-counts.ts";
import { type Interpretation, interpret } from "../data/interpret.ts";
import { writeSql } from "../sql/write-sql.ts";
import { describeSearch } from "../judge/tell-output.ts";
import { refusalText } from "../notice.ts";
import { contentWords, stem, wordsOf } from "../text/words.ts";
import { shorten } from "../text/format-value.ts";
import { searchToolFor, specialTool, takesLimit } from "../tools/tool-roles.ts";
import { describeQuestion } from "./describe-question.ts";
import type { Clause, DraftContext } from "./draft-context.ts";
import { yearOutsideData } from "../reader/outside-data.ts";
import { plainText } from "./plain-text.ts";
import { readMath } from "./read-math.ts";
import { readSearches } from "./read-searches.ts";

const FETCHES_MAX = 8;
/** More passages than an answer quotes: the answering one need not have the most words in common. */
const COMPARED_HITS = 20;
const REASONS = /\b(why|forecast|predict|prediction|will .* be|next (year|quarter|month))\b/i;

export function findOut(clause: Clause, context: DraftContext): void {
  if (REASONS.test(clause.text)) {
    context.notes.add("Rules look figures and passages up; they cannot explain causes or predict.");
  }
  if (fetchPages(clause, context) || diagnose(clause, context) || calculate(clause, context)) return;
  const read = queryData(clause, context);
  if (read === "queried" || useSpecialTool(clause, context)) return;
  if (read.kind === "refused" && refuses(read, clause, context)) return;
  if (!ASKS.test(clause.text.trim()) && clause.wishes.text === null) {
    const words = read.kind === "refused" ? read.words : [];
    context.loose.push(refusalText(words.length === 0 ? [clause.text] : words, null));
  }
  if (isElliptical(clause, context)) {
    context.refusals.push(refusalText([clause.text], null));
    return;
  }
  const before = context.findings.length;
  searchDocuments(
    clause,
    context,
    read.kind === "refused" && read.known >= 2 ? read.words.filter((word) => !/^how$/i.test(word)) : [],
  );
  // `… and why?`: a question without a subject must not be skipped either.
  const isAsking = /\b(?:why|how|who|when|where|what|which)\b/i.test(clause.text);
  if (
    isAsking &&
    context.findings.length === before &&
    clause.wishes.text === null &&
    context.roles.search !== null
  )
    context.loose.push(refusalText([clause.text], null));
}

/** `… and which is the cheapest`: after another clause of its sentence, a question without a subject is about that clause's. */
function isElliptical({ text, wishes }: Clause, { goal, findings }: DraftContext): boolean {
  if (wishes.text !== null || wishes.chart || wishes.file !== null || findings.length === 0) return false;
  const at = goal.indexOf(text);
  const isOfSentence =
    at > 0 && !/[.?!;:\n]\s*$/.test(goal.slice(0, at).replace(/(?:and|also|then)\s*$/i, ""));
  return isOfSentence && contentWords(text).length < SUBJECT_WORDS_MIN;
}

const SUBJECT_WORDS_MIN = 2;

/** A clause that is independent; any other can change the question of its neighbour. */
const ASKS =
  /^(?:what|which|who|when|where|why|how|list|show|is|are|does|do|can|find|look|search|tell|describe|compare|research)\b/i;

/** How much of a clause a table must explain for the clause to count as one about tables. */
const KNOWN_ENOUGH = 3;

/** A clause whose words are all in a table, or a mere addition to another one, is not searched for in documents. */
function refuses(
  { words, reason, known }: Extract<Interpretation, { kind: "refused" }>,
  { text, wishes }: Clause,
  context: DraftContext,
): boolean {
  if (wishes.text !== null || wishes.topic.length === 0) return false;
  const isWhole = words.length === 0 && reason !== null && known >= KNOWN_ENOUGH;
  if (!isWhole) return false;
  context.refusals.push(refusalText(words.length === 0 ? (reason === null ? [text] : []) : words, reason));
  return true;
}

function fetchPages({ text, wishes }: Clause, { roles, list, findings, notes }: DraftContext): boolean {
  if (wishes.urls.length === 0) return false;
  if (roles.fetch === null) {
    notes.add("No offered tool reads web pages.");
    return false;
  }
  for (const url of wishes.urls.slice(0, FETCHES_MAX)) {
    const stepId = list.add({
      tool: roles.fetch.name,
      args: { url },
      description: `Read ${shorten(url, 200)}`,
      expectedOutput: "the page's text",
    });
    findings.push({ stepId, clause: text, label: url });
  }
  return true;
}

/** `echo hello`, `wait 2 seconds`: the diagnostic tools, requested by name. */
function diagnose({ text }: Clause, { roles, list, findings }: DraftContext): boolean {
  const echo = /^(?:please\s+)?echo\s+["“]?(.{1,500}?)["”]?$/is.exec(text)?.[1];
  if (echo !== undefined && roles.echo !== null) {
    const stepId = list.add({
      tool: roles.echo.name,
      args: { value: echo },
      description: "Echo a value",
      expectedOutput: "the value",
    });
    findings.push({ stepId, clause: text, label: "echo" });
    return true;
  }
  const wait = /^(?:please\s+)?wait\s+(?:for\s+)?(\d{1,6})\s*(ms|milliseconds?|s|seconds?)\b/i.exec(text);
  if (wait === null || roles.wait === null) return false;
  const ms = Number(wait[1]) * (/^m/i.test(wait[2] ?? "") ? 1 : 1_000);
  const stepId = list.add({
    tool: roles.wait.name,
    args: { ms },
    description: `Wait ${ms} ms`,
    expectedOutput: null,
  });
  findings.push({ stepId, clause: text, label: "wait" });
  return true;
}

function calculate({ text }: Clause, { roles, list, findings, notes }: DraftContext): boolean {
  const expressions = readMath(text);
  if (expressions.length === 0) return false;
  if (roles.calculate === null) {
    notes.add("No offered tool calculates.");
    return false;
  }
  for (const expression of expressions) {
    const stepId = list.add({
      tool: roles.calculate.name,
      args: { expression },
      description: `Calculate ${expression}`,
      expectedOutput: "a number",
    });
    findings.push({ stepId, clause: text, label: expression });
  }
  return true;
}

/** Adds the queries of a clause; otherwise records which words no table explains. */
function queryData({ text, wishes }: Clause, context: DraftContext): Interpretation | "queried" {
  const { roles, list, findings, tables, data } = context;
  const nothing: Interpretation = { kind: "refused", words: [], reason: null, known: 0 };
  if (roles.query === null || asksLimit(text, context) || (wishes.topic.length === 0 && !/\p{L}/u.test(text)))
    return nothing;
  const read = interpret(text, { tables, antecedent: context.antecedent, ignored: spentWords(text, wishes) });
  if (read.kind === "refused") return read;
  const [doubt] = read.questions.flatMap(
    (question) => yearOutsideData(question, data) ?? doubtfulCount(text, question) ?? [],
  );
  if (doubt !== undefined) {
    context.refusals.push(refusalText([], doubt));
    return "queried";
  }
  for (const [index, question] of read.questions.entries()) {
    const query = writeSql(question);
    const description = describeQuestion(question);
    const stepId = list.add({
      tool: roles.query.name,
      args: {
        source: question.table.source,
        sql: query.sql,
        ...(query.params.length === 0 ? {} : { params: query.params }),
      },
      description,
      expectedOutput: query.value === null ? "rows" : `rows with ${query.value}`,
    });
    findings.push({ stepId, clause: text, label: description, query });
    // A follow-up about the winner does not become the new antecedent: "its" still means the winner.
    const follows = question.filters.some(({ kind }) => kind === "first");
    // If a word has several meanings, `its` could refer to any of them.
    if (index === 0 && !follows) context.antecedent = read.questions.length > 1 ? null : { question, stepId };
  }
  return "queried";
}

/** `the minimum age for volunteers` is a rule in documents; it does not ask for the lowest age in a table. */
export function asksLimit(text: string, { roles }: Pick<DraftContext, "roles">): boolean {
  return (
    roles.search !== null && /\b(?:minimum|maximum)\b(?!.*\b(?:of|among|across|in the|by|per)\b)/i.test(text)
  );
}

const CHART_WORDS = "chart plot graph diagram visualize visualise visualization draw bar line as";
const FILE_WORDS = "save saved store export write put file markdown as";
const REPORT_WORDS =
  "summary summarize summarise report overview table briefing memo digest recommendation write create make produce prepare short brief executive";

/** The words of a clause spent on charts, files and texts. */
function spentWords(text: string, { chart, file, text: report }: Clause["wishes"]): ReadonlySet<string> {
  const spent = [
    chart ? CHART_WORDS : "",
    file === null ? "" : FILE_WORDS,
    report === "report" ? REPORT_WORDS : "",
  ].join(" ");
  const path = file === null || !text.includes(file) ? [] : wordsOf(file);
  return new Set([...wordsOf(spent), ...path].map(stem));
}

function useSpecialTool({ text }: Clause, { tools, list, findings }: DraftContext): boolean {
  const special = specialTool(text, tools);
  if (special === null) return false;
  const stepId = list.add({
    tool: special.tool.name,
    args: special.args,
    description: `Ask ${special.tool.name}: ${shorten(text, 120)}`,
    expectedOutput: null,
  });
  findings.push({ stepId, clause: text, label: shorten(text, 80) });
  return true;
}

function searchDocuments({ text, wishes }: Clause, context: DraftContext, unknown: readonly string[]): void {
  const { list, findings, notes, tools } = context;
  if (wishes.text === "creative" || wishes.urls.length > 0) return;
  // In the first clause there is nothing to refer back to: `do tools have their test`, `what does it cost to …`.
  const pointsBack =
    findings.length > 0 &&
    /\b(its|their|them|they|those|these|it)\b/i.test(
      text.replace(/\b(?:is|was|can|does|did|will|would) it (?=(?:be )?\p{L}+ (?:to|that|for)\b)/iu, ""),
    );
  const own = wishes.topic.filter((word) => !context.topic.includes(word));
  // "their pricing" is the pricing of the previous search's topic.
  const topic = pointsBack && own.length > 0 ? [...context.topic, ...own] : wishes.topic;
  const queries = readSearches(text, topic);
  if (queries.length === 0 || (pointsBack && own.length === 0)) return;
  const tool = searchToolFor(text, tools);
  if (tool === null) {
    notes.add(`No offered tool searches for "${shorten(queries[0] ?? "", 60)}".`);
    return;
  }
  const [only, ...others] = queries;
  for (const query of queries) {
    const stepId = list.add({
      tool: tool.name,
      args: { query, ...(takesLimit(tool) ? { limit: COMPARED_HITS } : {}) },
      // For a single search, the whole clause defines what a passage must answer.
      description: describeSearch(
        others.length === 0 && query === only && !pointsBack ? plainText(text) : query,
        unknown,
      ),
      expectedOutput: "passages that mention it",
    });
    findings.push({ stepId, clause: text, label: query });
  }
  context.topic = pointsBack ? context.topic : contentWords(topic.join(" "));
}
