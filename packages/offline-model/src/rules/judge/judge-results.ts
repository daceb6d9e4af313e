/**
 * An extractive answer: the steps' results in sentences, each figure and quotation taken from a result.
 *
 * It names failed steps and missing results, and adds nothing.
 */
import type { JudgementPrompt, StepResult } from "../../prompt/plan-prompt.ts";
import { HOW_TO_CONNECT, NOTICE } from "../notice.ts";
import { formatValue, shorten } from "../text/format-value.ts";
import { readOutput } from "./read-output.ts";
import { tellOutput, type Told } from "./tell-output.ts";

/** Tools whose question another tool can answer: a search in place of a query or a page. */
const REPLACEABLE = /sql|query|fetch/;

const TEXT_CHARS_MAX = 12_000;
const DATA_CHARS_MAX = 60_000;

export type Judgement = {
  readonly decision: "answer" | "revise";
  readonly reason: string | null;
  readonly status: "success" | "partial" | "no_match" | "invalid_request" | "unsupported_intent" | "failed";
  readonly text: string;
  readonly dataJson: string | null;
  readonly sources: readonly string[];
};

export function judgeResults(prompt: JudgementPrompt): Judgement {
  const revision = askForRevision(prompt);
  if (revision !== null) {
    return { decision: "revise", reason: revision, status: "failed", text: "", dataJson: null, sources: [] };
  }
  const succeeded = prompt.results.filter(({ status }) => status === "succeeded");
  const missing = prompt.results.filter(
    ({ status, deliveredBy }) => status === "failed" && deliveredBy === undefined,
  );
  const told = tellAll(succeeded, prompt.goal);
  const found = told.filter(({ isFinding }) => isFinding);
  const parts = [...told.map(({ text }) => text), ...missing.map(missingText)].filter((text) => text !== "");
  const status = statusOf({ told, found, missing: missing.length });
  const body = parts.length === 0 ? "No step produced a result." : parts.join("\n\n");
  return {
    decision: "answer",
    reason: null,
    status,
    text: withNotice(shorten(body, TEXT_CHARS_MAX)),
    dataJson: dataOf(succeeded),
    sources: found.map(({ stepId }) => stepId),
  };
}

/** A text that combines everything represents its sources; otherwise every result is reported. */
function tellAll(results: readonly StepResult[], goal: string): readonly Told[] {
  const told = results.map((result) => tellOutput(result, goal));
  if (!told.some(({ isWriteUp, isFinding }) => isWriteUp && isFinding)) return told;
  return told.map((one) => (one.isWriteUp || one.isOutput ? one : { ...one, text: "" }));
}

function withNotice(text: string): string {
  return text.includes(NOTICE) ? text : `${text}\n\n(${HOW_TO_CONNECT})`;
}

type Findings = { told: readonly Told[]; found: readonly Told[]; missing: number };

function statusOf({ told, found, missing }: Findings): Judgement["status"] {
  const unable = told.some(({ isUnable }) => isUnable);
  if (found.length === 0) {
    if (missing > 0) return "failed";
    if (told.some(({ isQuestionless }) => isQuestionless)) return "invalid_request";
    return unable ? "unsupported_intent" : "no_match";
  }
  const empty = told.some(({ isFinding, isUnable }) => !isFinding && !isUnable);
  return missing > 0 || unable || empty ? "partial" : "success";
}

function missingText({ id, description, tool, error }: StepResult): string {
  const cause =
    typeof error === "string" ? error : error === undefined ? "no reason given" : JSON.stringify(error);
  return `Missing: ${description || `step ${id}`} (${tool} failed: ${shorten(cause, 300)}).`;
}

/** The rows and values of the results by step, as many as fit. */
function dataOf(results: readonly StepResult[]): string | null {
  const data: Record<string, unknown> = {};
  for (const { id, output } of results) {
    const read = readOutput(output);
    if (read.kind === "rows") data[id] = read.rows;
    if (read.kind === "value") data[id] = read.value;
    if (read.kind === "hits") data[id] = read.hits.map(({ path, title }) => ({ path, title }));
    if (JSON.stringify(data).length > DATA_CHARS_MAX) delete data[id];
  }
  return Object.keys(data).length === 0 ? null : JSON.stringify(data);
}

/**
 * Why a revision would help, or null.
 *
 * Only when everything failed, revisions remain, and the failed steps have not been tried in another way yet: rules that
 * fail twice would fail a third time.
 */
function askForRevision({ results, revisionsLeft }: JudgementPrompt): string | null {
  const failed = results.filter(({ status }) => status === "failed");
  if (revisionsLeft < 1 || failed.length === 0) return null;
  if (results.some(({ status }) => status === "succeeded")) return null;
  if (!failed.every(({ tool }) => REPLACEABLE.test(tool))) return null;
  const [first] = failed;
  const cause = first === undefined ? "" : `${first.tool}: ${shorten(formatValue(first.error), 200)}`;
  return `every step failed (${cause}); try another tool`;
}
