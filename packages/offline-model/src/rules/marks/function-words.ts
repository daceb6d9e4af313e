/**
 * Function words: the closed classes of words without a meaning of their own here, and the positions where each can occur.
 *
 * No other word is ever ignored. A function word in a position that its class does not allow does have a meaning:
 * `orders placed in May` only links the month to the orders, `placed orders` distinguishes them from others.
 */
import { stemsOf } from "../text/words.ts";
import type { Mark } from "./marks.ts";
import type { Table } from "../data/tables.ts";

export type WordClass =
  | "article"
  | "owner"
  | "pronoun"
  | "preposition"
  | "auxiliary"
  | "relative"
  | "there"
  | "adverb"
  | "manners"
  /** Verbs that only state that something took place, or whose figure it is: `the revenue that West made`. */
  | "event verb"
  /** Verbs that link a row to the words that follow: `employees working in Research`. */
  | "tie verb"
  | "opener";

/** One word or mark of a clause; words without a class were read by a rule for their position. */
export type Token = {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly mark: Mark | null;
  readonly kind: WordClass | null;
};

const CLASSES: Readonly<Record<WordClass, string>> = {
  article: "the a an der die das den dem",
  owner: "our ours my your",
  pronoun: "we us i you me",
  preposition: "of in on at for to from with within during throughout among into as im am",
  auxiliary:
    "is are was were be been being do did does has have had having hat hatte haben hatten ist sind war waren",
  relative: "that",
  there: "there",
  adverb: "also then",
  manners: "please 's s",
  "event verb": `make makes making made bring brings bringing brought generate generates generating generated achieve achieves achieved
     contribute contributes contributed account accounts accounted earn earns earned come comes coming came
     happen happens happened occur occurs occurred exist exists existing perform performs performed recorded
     conduct conducted done place places placing placed take takes taking took get gets getting got`,
  "tie verb": `work works working worked live lives living lived located based belong belongs belonging belonged contain contains
     containing contained taken receive receives received given scored written handle handled lasted used assigned
     registered entered listed stored kept held started shown displayed found situated`,
  opener: `want wanted need know see show give tell display find get return provide present identify determine calculate compute
     look up list like break`,
};

const CLASS_OF = new Map<string, WordClass>();
for (const kind of Object.keys(CLASSES) as WordClass[])
  for (const word of CLASSES[kind].split(/\s+/))
    if (kind !== "opener" || !CLASS_OF.has(word)) CLASS_OF.set(word, kind);
const OPENERS = new Set(CLASSES.opener.split(/\s+/));
/** Nouns that cannot be a value alone. */
const NOUNS = new Set("data dataset database table csv file figures numbers worth single all".split(" "));

/** With these a verb has its own meaning: `made of` asks for a material. */
const CHANGED =
  /^(?:ma[dk]es?\s+(?:of|from|out|up)|c[ao]mes?\s+(?:with|out|of|to|back)|t[ao]kes?n?\s+(?:out|off|over|back|part)|br(?:ing|ought)s?\s+back|g[eo]ts?\s+back|place[ds]?\s+(?:first|second|third|last))\b/i;

/** The class of the function word at `at`; null for any other word. Openers only occur where nothing is understood yet. */
export function classOf(word: string, text: string, at: number, isOpening: boolean): WordClass | null {
  const plain = word.toLowerCase();
  if (isOpening && OPENERS.has(plain)) return "opener";
  const kind = CLASS_OF.get(plain) ?? null;
  if (kind === "opener") return null;
  return isVerb(kind) && CHANGED.test(text.slice(at, at + 24)) ? null : kind;
}

/** A function word cannot be part of a value. */
export function isFunctionWord(word: string): boolean {
  const plain = word.toLowerCase();
  return CLASS_OF.has(plain) || OPENERS.has(plain) || NOUNS.has(plain);
}

/** Phrases that change nothing, in any position. */
const PHRASES =
  /(?:carr(?:y|ies|ied|ying) out|t(?:akes?|ook|aken) place|(?:appear|occur)s? in|names? of(?= (?:all|the|every|each|our)\b)|(?:in|from|of|on|using) (?:the|our|this) (?:data(?:base|set)?|table|file|list))(?![\p{L}\p{N}])/iuy;

/** The end of a phrase that changes nothing, if one begins at `at`. */
export function phraseWithoutMeaningEnd(text: string, at: number): number | null {
  PHRASES.lastIndex = at;
  const match = PHRASES.exec(text);
  return match === null ? null : at + match[0].length;
}

/** Nouns that mean nothing in one place: `the largest single order`, `orders worth over 900`, `sales figures`, `all orders`. */
export function isIdleNoun(word: string, text: string, end: number, marks: readonly Mark[]): boolean {
  const last = marks.at(-1);
  switch (word.toLowerCase()) {
    case "single":
      return last?.letter === "S";
    case "worth":
      return /^\s+(?:of\b|(?:more|less|over|under|above|below|at|between|exactly|up)\b|[$€£]?\d)/i.test(
        text.slice(end),
      );
    case "figures":
    case "numbers":
      return last?.letter === "M" && last.end === end - word.length - 1;
    case "all":
      return /^\s+(?:the\s+|our\s+|of\s+the\s+)?\p{L}+s\b/iu.test(text.slice(end));
    default:
      return false;
  }
}

function isVerb(kind: WordClass | null): boolean {
  return kind === "event verb" || kind === "tie verb";
}

const NOUN_LETTERS = "DMEVFTkupBPzhN";
/** Words that describe the noun in front of them, or ask for it. */
const MODIFIER_LETTERS = "WHASONdbK";

type Place = {
  readonly token: Token;
  readonly table: Table;
  readonly before: readonly Token[];
  readonly after: readonly Token[];
};

/** Whether a function word is in a position that its class allows. */
export function isInPlace(tokens: readonly Token[], index: number, table: Table): boolean {
  const token = tokens[index];
  if (token === undefined) return true;
  const place: Place = { token, before: tokens.slice(0, index), after: tokens.slice(index + 1), table };
  if (token.mark !== null) return isMarkInPlace(place);
  switch (token.kind) {
    case "article":
      // `grade A` is a name.
      return !(token.text === "A" && place.before.length > 0) && isBeforeNoun(place);
    case "owner":
      return isBeforeNoun(place) && !isLetter(place.before.at(-1), MODIFIER_LETTERS.replace("H", ""));
    case "pronoun":
      return isPronounInPlace(place);
    case "preposition":
      return isPrepositionInPlace(place);
    case "relative":
      return (
        isNoun(place.before.at(-1)) || isKind(place.before.at(-1), ["opener"]) || place.before.length === 0
      );
    case "there":
      return isKind(place.before.at(-1), ["auxiliary"]) || isKind(place.after[0], ["auxiliary"]);
    case "adverb":
      return (
        isOpen(place.before) ||
        isLetter(place.before.at(-1), "&,") ||
        isKind(place.before.at(-1), ["pronoun"])
      );
    case "event verb":
    case "tie verb":
      return isVerbInPlace(place, token.kind);
    default:
      return true;
  }
}

/** The same for words in the lexicon that no query contains. */
function isMarkInPlace(place: Place): boolean {
  const { token, before, after } = place;
  switch (token.mark?.letter) {
    case "s":
      return isSoldInPlace(place);
    case "j":
      return isPointerInPlace(place);
    case "d":
      return isLetter(after[0], "DEVM") || isLetter(before.at(-1), "H");
    case ",":
      if (/^either$/i.test(token.text)) return after.some((one) => isLetter(one, "|"));
      return !/^where|whose$/i.test(token.text) || (isNoun(before.at(-1)) && after.length > 0);
    default:
      return true;
  }
}

function isLetter(token: Token | undefined, letters: string): boolean {
  return token?.mark !== null && token?.mark !== undefined && letters.includes(token.mark.letter);
}

function isKind(token: Token | undefined, kinds: readonly WordClass[]): boolean {
  return token?.kind !== undefined && token.kind !== null && kinds.includes(token.kind);
}

function isNoun(token: Token | undefined): boolean {
  return isLetter(token, NOUN_LETTERS) || (token !== undefined && token.mark === null && token.kind === null);
}

/** Nothing of the clause is understood yet. */
function isOpen(before: readonly Token[]): boolean {
  return before.every(({ mark }) => mark === null || mark.letter === "," || mark.letter === "Q");
}

function isBeforeNoun({ after: [next] }: Place): boolean {
  return next !== undefined && !isKind(next, ["auxiliary", "pronoun", "preposition", "there", "relative"]);
}

function isPronounInPlace({ token, before, after }: Place): boolean {
  const last = before.at(-1);
  // `class I` is a name.
  if (token.text === "I") return isOpen(before) || isKind(last, ["auxiliary"]);
  if (/^(?:me|us)$/i.test(token.text)) return isKind(last, ["opener", "preposition"]) || isOpen(before);
  return (
    isOpen(before) ||
    isKind(last, ["auxiliary", "relative"]) ||
    (isNoun(last) && !isKind(after[0], ["article", "preposition"]))
  );
}

function isPrepositionInPlace({ token, before, after }: Place): boolean {
  const [last, next] = [before.at(-1), after[0]];
  // `which station were they brought to`
  if (next === undefined)
    return before.length > 2 && /^(?:of|in|on|at|for|to|from|with|im|am)$/i.test(token.text);
  if (isKind(next, ["auxiliary", "relative", "there", "adverb"])) return false;
  if (isKind(next, ["preposition"]) && !/^(?:from|as)$/i.test(token.text)) return false;
  if (isLetter(last, "WHAGKO")) return /^(?:of|im|am|from)$/i.test(token.text);
  if (isLetter(last, "S")) return /^(?:of|in|on|for|among|at|from|during|im|am)$/i.test(token.text);
  return !isKind(last, ["article", "owner"]);
}

/** A participle in front of a noun is an adjective: `registered members`, `the sold tents`. */
function isVerbInPlace({ token, before, after, table }: Place, kind: WordClass): boolean {
  const [last, next] = [before.at(-1), after[0]];
  // `received in May` asks for the date of receipt, not for any other.
  const [first, second] = after;
  const isTimed = isLetter(first, "Pz") || (isKind(first, ["preposition"]) && isLetter(second, "PzB"));
  if (kind === "tie verb" && isTimed && !hasPlainDate(table)) return false;
  const hasSubject = before.some((one) => isNoun(one) || isLetter(one, "wqUsJj"));
  const isBehindSubject =
    isNoun(last) ||
    isLetter(last, "wUJjlX") ||
    isKind(last, ["relative", "pronoun"]) ||
    isLetter(last, "&") ||
    (isKind(last, ["auxiliary", "there"]) && hasSubject);
  if (!isBehindSubject) return false;
  if (next === undefined) return kind === "event verb" || isInverted(before);
  if (isKind(next, ["preposition", "article", "owner"]))
    return !isKind(next, ["preposition"]) || after.length > 1 || kind === "event verb";
  if (isLetter(next, "GCXSOPz,&|lAHgUZRaNJrtc")) return true;
  // `do not work full-time`
  if (isLetter(last, "X")) return isLetter(next, "V");
  // `containing tents`, `which customers placed orders`
  const isFinite = !/(?:ing|n)$/i.test(token.text);
  return /^contain/i.test(token.text) || (isFinite && isSubjectOfQuestion(before) && isLetter(next, "EMVeb"));
}

const PLAIN_DATES = new Set(stemsOf("date day time month quarter year week on at"));

/** The only date is one of the row itself, such as `date` or `order_date` of an order. */
function hasPlainDate({ calendar, entity, words }: Table): boolean {
  const own = [...words, ...(entity === null ? [] : stemsOf(entity))];
  return (
    calendar === null || stemsOf(calendar.column).every((word) => PLAIN_DATES.has(word) || own.includes(word))
  );
}

/** `how much did West make`: the verb of an inverted question can be at its end. */
function isInverted(before: readonly Token[]): boolean {
  // `in which room is the Salt chest shown`
  if (isLetter(before.at(-1), "VF") && before.some((token) => isLetter(token, "W"))) return true;
  return before.some(
    ({ kind, text }) => kind === "auxiliary" && /^(?:do|does|did|have|has|had)$/i.test(text),
  );
}

/** `which customers …`: the question word belongs to the subject of the verb. */
function isSubjectOfQuestion(before: readonly Token[]): boolean {
  const at = before.findLastIndex((token) => isLetter(token, "Ww"));
  return at >= 0 && before.slice(at + 1).every((token) => isNoun(token) || isLetter(token, "SO"));
}

/** `sold tents` are a subset of tents; in `which region sells tents` and `tents sold` they are not. */
function isSoldInPlace({ token, before, after }: Place): boolean {
  const last = before.at(-1);
  if (last === undefined || isKind(last, ["article", "owner"]) || isLetter(last, "WHAGONdK")) return false;
  // A paid order is not any order; paid by card, or how much was paid, applies to any.
  if (!/^(?:pay|paid)$/i.test(token.text)) return true;
  if (before.some((one) => isLetter(one, "w")) && after.some((one) => isLetter(one, "M"))) return true;
  return (
    before.some((one) => isLetter(one, "U")) || isLetter(last, "M") || after.some((one) => isLetter(one, "V"))
  );
}

/** `revenue that West made`; `the same price` compares rows. */
function isPointerInPlace({ token, before, after }: Place): boolean {
  if (isLetter(after[0], "DB")) return true;
  return (
    /^that$/i.test(token.text) &&
    (isNoun(before.at(-1)) || isKind(before.at(-1), ["opener"]) || before.length === 0)
  );
}
