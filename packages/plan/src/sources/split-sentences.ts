/** Splits a paragraph into its sentences: abbreviations, decimals, initials and quotations do not end one. */

/** Words that start sentences, and are not names although they start with a capital. */
export const OPENERS: ReadonlySet<string> = new Set(
  `a about above according across after again all along also although among an and another any are as at away back based be because
  before below besides between both but by can compared could despite did do does during each either else even every everything few
  finally first for from further given had has have he hence her here his how however i if in indeed instead into is it its just
  last less let like many may more moreover most much my near neither never next no nobody none nor not note nothing now of off on
  once one only or other otherwise our out over overall per please respectively see several shall she should similarly since so some
  still such sum than thanks that the their them then there therefore these they third this those though through thus to together
  total two under unless unlike until up upon very was we were what when where whereas whether which while who whose why will with
  within without would yes yet you your`.split(/\s+/),
);

const ABBREVIATIONS: ReadonlySet<string> = new Set(
  `approx ca cf co corp dept dr ed eds est etc excl fig figs gen gov hon inc incl jr ltd max min mr mrs ms mt no nos op p pp par prof
  rep resp rev sen sec sr st tab v viz vol vs al jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun`.split(
    /\s+/,
  ),
);

const QUOTATION_CHARS_MAX = 2_000;
/** With closing quotes, brackets and emphasis; the full-width ones need no white space after them. */
const END = /[.!?…]+["'”’»)\]*_]*(?=\s|$)|[。！？।؟]+["'”’»)\]」』]*/gu;
const WORD_BEFORE = /(?:^|[\s("'“‘«[])([\p{L}.]+)\.$/u;
const NEXT_WORD = /^\s+["'“‘«(*_]*([\p{L}\p{N}]+)/u;
/** Directly after the end of a sentence, and so part of it. */
const CITATION = /^\s*(?:\[[^[\]\n]{1,300}\](?:\([^()\s]{1,2000}\))?|\([^()\n]{1,300}\))/;

/** @param isCitation - Whether text in parentheses after a sentence cites its source, rather than being a separate sentence. */
export function splitSentences(paragraph: string, isCitation: (bracket: string) => boolean): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const match of paragraph.matchAll(END)) {
    let end = match.index + match[0].length;
    if (end <= from) continue;
    const rest = paragraph.slice(end);
    if (!endsSentence(paragraph.slice(from, end), match[0], rest)) continue;
    for (let left = rest; ; left = paragraph.slice(end)) {
      const bracket = CITATION.exec(left)?.[0];
      if (bracket === undefined || !(bracket.trim().startsWith("[") || isCitation(bracket))) break;
      end += bracket.length;
    }
    sentences.push(paragraph.slice(from, end).trim());
    from = end;
  }
  const last = paragraph.slice(from).trim();
  // Punctuation after the citation of a sentence belongs to it.
  if (/[\p{L}\p{N}]/u.test(last)) sentences.push(last);
  return sentences;
}

function endsSentence(sentence: string, mark: string, rest: string): boolean {
  if (isInQuotation(sentence)) return false;
  const next = NEXT_WORD.exec(rest)?.[1] ?? "";
  if (!mark.startsWith(".") || mark.startsWith("..")) return !/^\p{Ll}/u.test(next);
  if (/^\p{Ll}/u.test(next)) return false;
  const word = WORD_BEFORE.exec(sentence.slice(0, sentence.length - mark.length + 1))?.[1] ?? "";
  if (word === "" || next === "") return true;
  const isShort = ABBREVIATIONS.has(word.toLowerCase()) || word.includes(".") || /^\p{Lu}$/u.test(word);
  return !isShort || (OPENERS.has(next.toLowerCase()) && !ABBREVIATIONS.has(word.toLowerCase()));
}

/** Whether a quotation is open at the end; a longer one is an unpaired quotation mark. */
function isInQuotation(text: string): boolean {
  if (text.length > QUOTATION_CHARS_MAX) return false;
  const count = (mark: RegExp): number => text.match(mark)?.length ?? 0;
  return (
    count(/"/g) % 2 === 1 ||
    count(/“/g) > count(/”/g) ||
    count(/«/g) > count(/»/g) ||
    count(/「/g) > count(/」/g)
  );
}
