import type { StepResult } from "../../prompt/plan-prompt.ts";
import { isRefusal, OUT_OF_SCOPE, refusalText } from "../notice.ts";
import { WRITE_UP } from "../plan/add-outputs.ts";
import { formatValue, shorten } from "../text/format-value.ts";
import { isQuestionlessText, isUnableText } from "../write/unable-text.ts";
import { missingWords, quotationsFor, stretchIn } from "./account-for-words.ts";
import { occurs } from "./passage-words.ts";
import { type Hit, type Output, readOutput, titleWords } from "./read-output.ts";
import { wordsToAccountFor } from "./read-question.ts";
import { sentencesOf, withNext, isQuestion } from "./sentences.ts";
import { tellRows } from "./tell-rows.ts";
import { contentWords, overlap, stem, wholePhrase } from "../text/words.ts";

const CLOSEST_MAX = 2;
const SHARED_MIN = 2;
const SHARE_MIN = 0.6;

const MEASURE =
  /^(?:costs?|prices?|fees?|charges?|pay|pays|paid|hours?|days?|weeks?|months?|years?|minutes?|allowed|\d.*)$/i;

/** One step's result as text. */
export type Told = {
  readonly stepId: string;
  /** Empty when there is nothing to report. */
  readonly text: string;
  /** Something was found: the step is a source of the answer. */
  readonly isFinding: boolean;
  /** The step combined the other findings into a text. */
  readonly isWriteUp: boolean;
  /** A file or chart: reported beside a text that combines everything. */
  readonly isOutput: boolean;
  /** The step reports that rules cannot do it. */
  readonly isUnable: boolean;
  /** The step reports that the goal asks for nothing. */
  readonly isQuestionless: boolean;
};

export function tellOutput(result: StepResult, goal: string): Told {
  const output = readOutput(result.output);
  const { subject, unknown } = readSearch(result.description, goal);
  const { text, isFinding, isRefused } = tell(output, {
    subject,
    unknown,
    goal,
    description: result.description || result.id,
  });
  const said =
    output.kind === "text"
      ? output.text
      : output.kind === "other" && typeof output.value === "string"
        ? output.value
        : "";
  const isUnable = isRefused === true || isUnableText(said) || isRefusal(said);
  return {
    stepId: result.id,
    text,
    isFinding: isFinding && !isUnable,
    isWriteUp: result.description.startsWith(WRITE_UP),
    isOutput: output.kind === "saved" || output.kind === "drawn",
    isUnable,
    isQuestionless: output.kind === "text" && isQuestionlessText(output.text),
  };
}

type Words = { readonly text: string; readonly isFinding: boolean; readonly isRefused?: boolean };
type About = {
  readonly subject: string;
  /** Words of it that occur in no table. */
  readonly unknown: readonly string[];
  readonly goal: string;
  readonly description: string;
};

function tell(output: Output, { subject, unknown, goal, description }: About): Words {
  switch (output.kind) {
    case "rows": {
      const text = tellRows(output.rows, { description, truncated: output.truncated });
      return text === null ? nothing(`${description}: no row matches.`) : found(text);
    }
    case "hits":
      return tellHits(output.hits, subject, unknown);
    case "page": {
      const title = output.title === "" ? "" : `${output.title}: `;
      if (output.text.trim() === "") return nothing(`${output.url} has no text.`);
      const question = goal.replace(/https?:\/\/\S+/g, " ");
      const isAsked =
        /\?|\b(?:what|which|who|when|where|how)\b/i.test(question) && wordsToAccountFor(question).length > 0;
      const passage = isAsked ? stretchIn(output.text, question) : bestPassage(output.text, subject);
      return passage === null
        ? nothing(`${output.url} has no passage about all of “${shorten(question.trim(), 100)}”.`)
        : found(`${title}“${passage}” (${output.url})`);
    }
    case "saved":
      return found(`Saved ${output.path} (${formatValue(output.bytes)} bytes).`);
    case "drawn":
      return found(`The chart “${description.replace(/^Draw: /, "")}” is among the artifacts.`);
    case "text":
      return output.text.trim() === "" ? nothing("") : found(output.text.trim());
    case "value":
      return found(`${description.replace(/^Calculate /, "")} = ${formatValue(output.value)}.`);
    case "other":
      return output.value === null || output.value === undefined
        ? nothing("")
        : found(`${description}: ${shorten(formatValue(output.value), 600)}`);
    default:
      return output satisfies never;
  }
}

const NOT_IN_TABLES = / \(no table explains (.*)\)$/;
const QUOTED_MAX = 3;

/** The description of a step that searches the documents, which the answer parses again. */
export function describeSearch(subject: string, unknown: readonly string[]): string {
  const words = unknown
    .slice(0, 8)
    .map((word) => `“${word}”`)
    .join(", ");
  return `Search for: ${shorten(subject.replace(/\s+/g, " "), 300)}${words === "" ? "" : ` (no table explains ${words})`}`;
}

function readSearch(description: string, goal: string): { subject: string; unknown: readonly string[] } {
  const unknown = NOT_IN_TABLES.exec(description)?.[1]?.match(/(?<=“)[^”]+(?=”)/g) ?? [];
  return { subject: description.replace(NOT_IN_TABLES, "").replace(/^Search for: /, "") || goal, unknown };
}

/** Quotes the passages that account for every word; a passage about half of the question does not answer it. */
function tellHits(
  hits: Extract<Output, { kind: "hits" }>["hits"],
  subject: string,
  unknown: readonly string[],
): Words {
  const quotations = quotationsFor(subject, hits).slice(0, QUOTED_MAX);
  if (quotations.length > 0) {
    const quoted = quotations.map(({ hit, text }) => quote(hit, text));
    return found(`About “${shorten(subject, 100)}”: ${quoted.join(" ")}`);
  }
  const words = wordsToAccountFor(subject);
  const missing = missingWords(subject, hits);
  const closest = closestTo(subject, hits);
  if (closest.length > 0) return nothing(tellClosest(closest, subject, missing));
  if (unknown.length > 0)
    return {
      ...nothing(refusalText(unknown, "no table has it, and no document answers the question")),
      isRefused: true,
    };
  if (missing.length * 2 > words.length || words.length === 0)
    return { ...nothing(OUT_OF_SCOPE), isRefused: true };
  const named = missing.map((word) => `“${word}”`).join(", ");
  const why =
    named === "" ? "No passage says all of it together." : `No passage about the rest mentions ${named}.`;
  return nothing(`Nothing was found about “${shorten(subject, 100)}”. ${why}`);
}

/** The closest passage, with the note that it is not an answer. */
function tellClosest(closest: readonly Closest[], subject: string, missing: readonly string[]): string {
  const named = missing.map((word) => `“${word}”`).join(", ");
  const why =
    named === "" ? "No passage says all of it together." : `No passage about the rest mentions ${named}.`;
  const [these, they] =
    closest.length === 1
      ? ["This passage is the closest", "whether it answers"]
      : ["These passages are the closest", "whether they answer"];
  const quoted = closest.map(({ hit, text }) => quote(hit, text)).join(" ");
  return `No answer was found to “${shorten(subject, 100)}”. ${why} ${these}; the demo model cannot tell ${they} the question: ${quoted}`;
}

function quote({ title, path }: Hit, text: string): string {
  return `“${text}” (${title === "" ? "" : `${title}, `}${path})`;
}

function found(text: string): Words {
  return { text, isFinding: true };
}

function nothing(text: string): Words {
  return { text, isFinding: false };
}

/** The sentences closest to a question that no passage answers. */
type Closest = { readonly hit: Hit; readonly text: string };

/** One or two sentences with most words of a question; none if they have next to nothing in common with it. */
function closestTo(question: string, hits: readonly Hit[]): readonly Closest[] {
  const words = wordsToAccountFor(question).filter(({ isSoft }) => isSoft !== true);
  const scored = hits.flatMap((hit) => {
    const sentences = sentencesOf(hit.snippet);
    return sentences.map((sentence, index) => {
      const shared = words.filter((word) => occurs(word, sentence));
      // A price or a time alone does not reveal what it belongs to.
      const own = shared.every(({ text }) => MEASURE.test(text)) ? 0 : shared.length;
      const titled = words.filter((word) => !occurs(word, sentence) && occurs(word, titleWords(hit))).length;
      return { hit, text: shorten(withNext(sentences, index, 1), 420), own, score: own + titled / 2 };
    });
  });
  const near = scored.filter(({ own, score }) => own >= SHARED_MIN && score >= words.length * SHARE_MIN);
  const best = Math.max(0, ...near.map(({ score }) => score));
  return near.filter(({ score }) => score === best).slice(0, CLOSEST_MAX);
}

const QUOTE_CHARS_MAX = 420;
const HITS_MAX = 3;

/**
 * Hits about the subject, the most relevant first.
 *
 * They must contain two of the subject's words, or its only one; once a document is known to be about the subject, its
 * sections with one of the words in their own title belong to it too.
 */
export function relevantHits(hits: readonly Hit[], subject: string, hitsMax = HITS_MAX): readonly Hit[] {
  const words = contentWords(subject).length;
  const names = [...subject.matchAll(/\p{L}{3,}\s\p{Lu}(?!\p{L})/gu)].map((match) => wholePhrase(match[0]));
  const relevance = (hit: Hit) => {
    const text = `${hit.title} ${hit.path.replaceAll("-", " ")} ${hit.snippet}`;
    // `Vendor A` is a name: a passage about vendor B is irrelevant.
    return names.every((name) => name.test(text)) ? overlap(subject, text) : 0;
  };
  const titled = words <= 2 && hits.some((hit) => relevance(hit) > 0 && overlap(subject, hit.title) > 0);
  const needed = titled ? 1 : Math.min(2, words);
  const best = Math.max(0, ...hits.map(relevance));
  const enough = Math.max(needed, Math.ceil(best * 0.6));
  const about = new Set(hits.filter((hit) => relevance(hit) >= enough).map(({ path }) => path));
  const belongs = (hit: Hit) =>
    about.has(hit.path) && relevance(hit) > 0 && overlap(subject, sectionOf(hit)) > 0;
  const telling = (hit: Hit) =>
    relevance(hit) + overlap(subject, sectionOf(hit)) + figuresIn(hit.snippet, subject);
  return hits
    .filter((hit) => relevance(hit) >= enough || belongs(hit))
    .toSorted((a, b) => telling(b) - telling(a))
    .slice(0, hitsMax);
}

/** The last part of a title: `Pricing › Plans` → `Plans`; empty for a document's beginning. */
export function sectionOf({ title }: Hit): string {
  const parts = title.split("›");
  return parts.length < 2 ? "" : (parts.at(-1) ?? "").trim();
}

/** A question about prices needs the passages with figures: three figures count as much as three words. */
function figuresIn(text: string, subject: string): number {
  if (!/\b(pric|cost|fee|rate|how much|how many|salar|number|percent)/i.test(subject)) return 0;
  return Math.min(3, text.match(/\d+(?:[.,]\d+)*/g)?.length ?? 0);
}

/** The sentences around the one that has most words in common with the subject, up to the limit. */
export function bestPassage(text: string, subject: string, charsMax = QUOTE_CHARS_MAX): string {
  const clean = text.replace(/^#+\s+.*$/gm, "").trim();
  const sentences = clean
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[-*]\s+|^\d+\.\s+/, "").trim())
    .filter((sentence) => sentence !== "" && !isQuestion(sentence));
  const whole = sentences.join(" ");
  if (whole.length <= charsMax) return whole;
  const wanted = new Set(contentWords(subject).map(stem));
  const scores = sentences.map(
    (sentence) => contentWords(sentence).filter((word) => wanted.has(stem(word))).length,
  );
  const start = scores.indexOf(Math.max(...scores));
  let passage = "";
  for (const sentence of sentences.slice(start)) {
    if (passage !== "" && passage.length + sentence.length > charsMax) break;
    passage = passage === "" ? sentence : `${passage} ${sentence}`;
  }
  return shorten(passage, charsMax);
}
