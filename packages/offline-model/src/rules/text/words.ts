/** Words as the rules compare them: lower-case, without endings, in any script. */

/** The words of a text in order, as written, lower-cased; `region's` is `region`. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .replace(/['’]s\b/gu, "")
      .replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, " ")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Cuts the common English endings, so that `prices`, `price` and `pricing` are one word. */
export function stem(word: string): string {
  let root = word;
  if (/[^aeious]ies$/.test(root) && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(ss|x|ch|sh)es$/.test(root)) root = root.slice(0, -2);
  else if (/[^sui]s$/.test(root) && root.length > 3) root = root.slice(0, -1);
  if (root.length > 5 && root.endsWith("ing")) root = root.slice(0, -3);
  else if (root.length > 4 && root.endsWith("ed")) root = root.slice(0, -2);
  if (root.length > 3 && root.endsWith("e")) root = root.slice(0, -1);
  return /([^aeiou\d])\1$/.test(root) && root.length > 3 ? root.slice(0, -1) : root;
}

export function stemsOf(text: string): readonly string[] {
  return wordsOf(text).map(stem);
}

const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be been before being below between both but by can
   could did do does doing done down during each either else ever every few for from further get give gives given go
   had has have having he her here hers him his how however i if in into is it its itself just let like many may me
   might more most much must my near need no nor not now of off on once only onto or other our out over own per
   please quite rather same shall she should so some such tell than that the their them then there these they this
   those through to too under until up upon us very want was we were what when where which while who whom whose why
   will with within without would yes you your hello hi hey thanks thank ok okay there's
   welche welcher welches was wie wo wann wer ist sind war waren der die das den dem ein eine im am und oder von mit für auf zu
   qué cuál cuáles cómo dónde quién es son fue el la los las un una en y o de del con para por que cual como
   quel quelle quels quelles comment où qui est sont le les des une du et dans avec pour par sur
   show list find search look research gather collect know question answer explain describe say says`.match(
    /\S+/g,
  ),
).add("");

/** The content words, each once, in order: no articles, pronouns or words of asking. */
export function contentWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text).filter((word) => !STOP_WORDS.has(word)))];
}

/** How many of the content words of `text` also occur in `other`, compared by their stems. */
export function overlap(text: string, other: string): number {
  const there = new Set(stemsOf(other));
  return new Set(
    contentWords(text)
      .map(stem)
      .filter((word) => there.has(word)),
  ).size;
}

/** The share of the content words of `text` that also occur in `other`; 1 when it has none. */
export function coverage(text: string, other: string): number {
  const wanted = new Set(contentWords(text).map(stem)).size;
  return wanted === 0 ? 1 : overlap(text, other) / wanted;
}

const SMALL_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** The number that a word names (`3`, `three`), or null. */
export function numberOf(word: string): number | null {
  if (/^\d+$/.test(word)) return Number(word);
  const index = SMALL_NUMBERS.indexOf(word.toLowerCase());
  return index === -1 ? null : index;
}

/** Matches a text as a whole phrase, whatever its case. */
export function wholePhrase(text: string): RegExp {
  const words = text
    .trim()
    .split(/\s+/)
    .map((word) => RegExp.escape(word));
  return new RegExp(`(?<![\\p{L}\\p{N}])${words.join("\\s+")}(?![\\p{L}\\p{N}])`, "iu");
}
