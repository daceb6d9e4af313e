/** What a passage must contain when a question asks for a limit, or whether something is allowed. */

/** A question about the end of a time or an amount, and one about its beginning. */
const ASKS_UPPER =
  /^\s*(?:until|till|up to|by|within)\s+(?:what|which|when|how)\b|\bat (?:the )?(?:most|latest)\b|\bmaximum\b/i;
const ASKS_LOWER =
  /^\s*(?:from|since|above|over|after)\s+(?:what|which|when|how)\b|\bat (?:the )?(?:least|earliest)\b|\bminimum\b/i;
const ASKS_AHEAD = /\bhow (?:far|long) (?:in advance|ahead)\b|\bhow much notice\b/i;

const UPPER =
  /\bbetween\b.*\band\b|\b(?:under|below|younger)\b|\b(?:until|till|up to|by|to|before|within|at most|at the latest|no later|no more|not more|maximum|never|limit(?:ed)?|close[sd]?|ends?|deadline|last|only|less|longer than|or (?:less|fewer|younger))\b|–/i;
const LOWER =
  /\bbetween\b.*\band\b|\b(?:from|starts?|begins?|opens?|after|since|at the earliest|at least|or (?:more|older|over|above)|and (?:over|older|above|more)|above|over|exceed|minimum|age|once|no (?:less|fewer|younger|shorter|earlier)|first|third|second)\b|–/i;
const AHEAD = /\b(?:ahead|before|beforehand|advance|notice|prior|earlier|early)\b/i;

/** `May I …`, `Are we allowed to …`, `Is it possible to …`. */
const ASKS_PERMISSION =
  /^\s*(?:may|can|could)\b|^\s*(?:am|are|is)\b.*\b(?:allowed|permitted|forbidden|prohibited|possible)\b/i;
const PERMISSION =
  /\b(?:may|can|cannot|can't|must|mustn't|allow\w*|permit\w*|forbid\w*|forbidden|prohibit\w*|welcome|possible|impossible|not|don't|never|no|only|free|required?|need|needs|needed|ban|banned|have to|has to|always|available)\b/i;
const MAY = /\b(?:may|can|possible|welcome)\b/i;

/** Whether a passage gives the requested end or beginning, and states whether something is allowed. */
export function isLimitAskedFor(text: string, question: string): boolean {
  return (
    (!ASKS_UPPER.test(question) || UPPER.test(text)) &&
    (!ASKS_LOWER.test(question) || LOWER.test(text)) &&
    (!ASKS_AHEAD.test(question) || AHEAD.test(text)) &&
    (!ASKS_PERMISSION.test(question) || PERMISSION.test(text))
  );
}

/** `may` means `allowed`; `may not` counts only if the question accepts both as an answer. */
export function saysAllowed(text: string, question: string): boolean {
  if (ASKS_PERMISSION.test(question) || /\bhow (?:much|many|long|high|large)\b/i.test(question))
    return PERMISSION.test(text);
  return MAY.test(text) && !/\b(?:may|can) (?:not|only)\b|\bcannot\b/i.test(text);
}

/** `Some instructors have been giving nine lessons` does not state how many they may give. */
export function isRuleAskedFor(text: string, question: string): boolean {
  const asked =
    /\bhow (?:many|much|long|often|far|high|fast)\b.*\b(?:may|can|must|should|shall|allowed|permitted)\b/i;
  const isReport =
    /\b(?:has|have|had) been \p{L}+ing\b|\b(?:was|were|had|used to|did|reported|noticed|noted|complained)\b|^Some\b/iu;
  const isRule =
    /\b(?:may|can|cannot|must|should|shall|will|allowed|permitted|limit|maximum|minimum|at most|at least|up to|only|agreed|decided)\b/i;
  return !asked.test(question) || !isReport.test(text) || isRule.test(text);
}

/** The duration of something is not the time before or after something else. */
export function isThatSpan(text: string, question: string): boolean {
  if (!/\bhow long\b/i.test(question) || APART.test(question)) return true;
  // The days of `a work day` are not a duration.
  const spans = [...text.matchAll(SPAN)].filter(
    ([, unit = ""]) => !new RegExp(`\\b${unit.replace(/s$/i, "")}s?\\b`, "i").test(question),
  );
  if (/\b(?:days?|weeks?|months?|years?|hours?|minutes?)\b/i.test(question)) return spans.length > 0;
  const takes = /\b(?:takes?|took|lasts?|lasted)\b/i.test(question);
  if (takes && spans.length > 0 && !spans.some(({ index }) => LASTS.test(text.slice(0, index)))) return false;
  const lasts = /\bhow long (?:is|are|was|were)\b|\blasts?\b/i.test(question);
  return (
    spans.length === 0 ||
    spans.some(
      ({ 2: behind = "", index }) => !APART.test(behind) && !(lasts && BOUND.test(text.slice(0, index))),
    )
  );
}

/** `if you stay for six months` does not state that anything takes six months. */
const LASTS = /\b(?:takes?|took|taken|lasts?|lasted|is|are|was|were|be|been|runs?|needs?|goes|within|in)\b/i;

/** `within the first six weeks` and `from a delay of two hours` do not state a duration. */
const BOUND =
  /\b(?:within|by)\s+(?:the\s+)?(?:first\s+)?$|\b(?:from|above|over|beyond)\s+an?\s+\p{L}+\s+of\s+$/iu;

const SPAN =
  /(?:\d|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter|few|several))\s+(?:\p{L}+\s+)?(days?|weeks?|months?|years?|hours?|minutes?|seconds?)\b['’]?((?:\s+\p{L}+){0,2})/giu;
const APART = /\b(?:ahead|before|beforehand|advance|notice|prior|earlier|after|later|of age|old)\b/i;

/** For a weekly amount or a price per person, that unit must be stated: `three times a week`, `the weekly fee`. */
export function isAtThatRate(text: string, question: string, titles: string): boolean {
  const unit =
    /\b(?:each|every|per|in an?|within an?)\s+(?:whole\s+|single\s+)?(days?|nights?|weeks?|months?|years?|hours?|minutes?)\b/i.exec(
      question,
    )?.[1];
  if (unit === undefined) return true;
  const one = unit.toLowerCase().replace(/s$/, "");
  const rate = new RegExp(
    `\\b(?:an?|one|each|every|per|any|the|further|extra)(?: \\p{L}+)? ${one}s?\\b|\\b${one === "day" ? "dai" : one}ly\\b`,
    "iu",
  );
  return rate.test(text) || new RegExp(`\\b${one}`, "i").test(titles);
}

export function asksPermission(question: string): boolean {
  return ASKS_PERMISSION.test(question);
}
