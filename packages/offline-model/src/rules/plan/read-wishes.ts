/** The products that a clause requests from the results (a text, a chart, a file), and its remaining topic. */
import { contentWords, stem, stemsOf } from "../text/words.ts";

export type Wishes = {
  readonly urls: readonly string[];
  readonly chart: boolean;
  /** The path of the file to write; null when none is requested. */
  readonly file: string | null;
  /** `report`: a text made of results. `creative`: a text that rules cannot make. */
  readonly text: "report" | "creative" | null;
  /** The words of its topic; empty when the clause refers only to earlier results. */
  readonly topic: readonly string[];
};

const CHART = /\b(chart|charts|plot|plots|graph|diagram|visuali[sz]e|visuali[sz]ation|draw)\b/i;
const SAVING = /\b(save|saved|store|export|write|put|file)\b/i;
const PATH = /(?<![\w/:.-])([\w-]+(?:\/[\w-]+){0,4}\.(?:md|markdown|txt|csv|json|html))\b/i;
const REPORT =
  /\b(summar(y|ies|i[sz]e)|report|overview|compar(e|es|ison)|table|briefing|memo|digest|conclusions?|recommend(ation)?s?|write[- ]?up)\b/i;
/** A reported thing, such as a fault or a loss, is not a report to write. */
const REPORTING = /\b(?:to|must|should|can|may|could|i|we|you|they|one|does|do|did|be)\s+report\b/gi;
const CREATIVE =
  /\b(poem|haiku|story|song|joke|essay|slogan|speech|tweet|limerick|lyrics|rhymes?|dialogue|novel|screenplay|gedicht|poema|po[eè]me)\b/i;
/** Letters are written, but a channel or a column can have that name too. */
const LETTER = /\b(?:write|draft|compose|prepare|create|make|send)\b.*\b(?:letter|e-?mail)\b/i;
const TRANSLATION = /\b(translate|translation|rewrite|paraphrase|proofread)\b/i;
const PROGRAM = /\b(write|create|implement|code|generate)\b.*\b(function|script|program|class|code|regex)\b/i;
const URL_PATTERN = /\bhttps?:\/\/[^\s<>"'`]+/gi;

/** Words for what to do, not for the topic. */
const COMMAND_WORDS = new Set(
  stemsOf(
    `chart plot graph diagram visualize visualise visualization draw bar line pie save store export file markdown summary
     summarize summarise report overview compare comparison table briefing memo digest conclusion recommendation write
     create make produce prepare draft build generate render compute calculate result results finding findings answer
     document docs documents documentation according text page short brief detailed executive final nice good new
     information info details detail top best page website site link url http https www com org html md txt csv json
     poem haiku story song joke letter email essay translate`,
  ),
);

export function readWishes(clause: string): Wishes {
  const urls = [...new Set((clause.match(URL_PATTERN) ?? []).map((url) => url.replace(/[.,;:!?)\]]+$/, "")))];
  const rest = clause.replace(URL_PATTERN, " ");
  const path = PATH.exec(rest)?.[1] ?? null;
  const file =
    SAVING.test(rest) && path !== null
      ? path
      : /\b(save|store|export)\b/i.test(rest) && /\bfile\b/i.test(rest)
        ? "result.md"
        : null;
  const creative = CREATIVE.test(rest) || LETTER.test(rest) || TRANSLATION.test(rest) || PROGRAM.test(rest);
  const words = contentWords(path === null ? rest : rest.replace(path, " "));
  return {
    urls,
    chart: CHART.test(rest),
    file,
    text: creative ? "creative" : REPORT.test(rest.replace(REPORTING, " ")) ? "report" : null,
    topic: words.filter((word) => !COMMAND_WORDS.has(stem(word)) && !/^[a-z\d]$/.test(word)),
  };
}
