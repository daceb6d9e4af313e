/** The sentences of a passage, and which of them belong together. */

const STRETCH_CHARS_MAX = 420;
const EXCEPTIONS_MAX = 2;

/** A sentence about the document itself. */
const META = /^(?:This (?:is|page|document)\b|What happens\b)/;

export function sentencesOf(text: string): readonly string[] {
  return (
    text
      .replace(/^#+\s+.*$/gm, "")
      .split(/(?<=[.!?])(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|e\.g|i\.e|approx)\.)\s+(?=[\p{Lu}\p{N}"“-])|\n+/u)
      // The number of a section (`4.2`) is not a figure in its text.
      .map((sentence) => sentence.replace(/^[-*]\s+|^\d+(?:\.\d+)+\.?\s+|^\d+\.\s+/, "").trim())
      .filter((sentence) => sentence !== "" && !META.test(sentence) && !isQuestion(sentence))
  );
}

/** A question states nothing, such as one in a list of questions and answers. */
export function isQuestion(sentence: string): boolean {
  return /\?["”*_]*$/.test(sentence);
}

/** `It was agreed that …` is about the words that follow. */
const PRONOUN =
  /^(?!It (?:is|was|has been|will be) (?:\p{L}+ )?(?:\p{L}+(?:ed|en)|clear|likely|important|possible) (?:that|to)\b)(?:It|Its|They|Their|This|These|Both|He|She)\b/u;
/** `Above that sum …`, `For a cat one visit is enough.` */
const REFERRING =
  /^(?:Above|Below|Beyond|Over|Under|Up to|In|For) (?:that|this|these|those) \p{Ll}|^(?:In|On|For|At)\b.*\b(?:is|are) (?:enough|sufficient)\b/u;

/** Whether a sentence continues the subject of the previous one. */
export function goesOn(sentence: string): boolean {
  return PRONOUN.test(sentence) || REFERRING.test(sentence);
}

/** The meaning of `It` in the next sentence: the beginning of a sentence, up to its verb. */
export function subjectOf(sentence: string): string {
  const [subject = ""] = sentence.split(VERB, 1);
  return subject.split(/\s+/, SUBJECT_WORDS_MAX).join(" ");
}

/** Whether a sentence continues with a pronoun. */
export function pointsBack(sentence: string): boolean {
  return PRONOUN.test(sentence);
}

const VERB =
  /\s(?:is|are|was|were|be|has|have|had|can|may|must|will|shall|should|costs?|takes?|holds?|lasts?|gets?|pays?|needs?|goes|go)\s/i;
const SUBJECT_WORDS_MAX = 6;

/** A rule with everything that must be quoted with it: the sentence that it continues, and the exceptions that follow. */
export function withNext(sentences: readonly string[], start: number, count: number): string {
  const begin = sentences[start] ?? "";
  const isOpen =
    /^(?:It|Its|They|This)\b/.test(begin) || /\bthat (?:day|week|month|evening|date)\b/.test(begin);
  const first = isOpen && start > 0 ? start - 1 : start;
  let text = sentences.slice(first, start + count).join(" ");
  for (const next of sentences.slice(start + count, start + count + EXCEPTIONS_MAX)) {
    const isException =
      EXCEPTION.test(next) || (CLOCK.test(text) && OTHER_TIME.test(next) && CLOCK.test(next));
    if (!isException || text.length + next.length >= STRETCH_CHARS_MAX) break;
    text = `${text} ${next}`;
  }
  return text;
}

const EXCEPTION =
  /^(?:But|However|Except|Otherwise|After that|Afterwards|Above that|Beyond that|Below that|Unless|In that case|With less)\b/;
const CLOCK = /\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?(?:am|pm)\b/i;
const OTHER_TIME =
  /^(?:On|In|Between|During|From)\s+(?:the\s+)?(?:\p{Lu}|\d|public|bank|winter|summer|school|holidays|weekends)/u;

/** The parts of a sentence that each make a statement. */
export function partsOf(text: string): readonly string[] {
  return text.split(
    /;\s+|(?<=[.!?])\s+|,\s+(?:and|but)\s+|\s+and\s+(?=\p{Ll}+s\s|must\b|can\b|does\b|is\b)/u,
  );
}

/** An item of a list, such as `Starter: 49 euros a month`. */
export const LABELLED = /^[\p{Lu}\p{N}][\p{L}\p{N} ]{0,24}:\s/u;
