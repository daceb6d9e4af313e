/** How much two goals have in common, by their words. */

/** Words as the projection's full-text index sees them: letters and digits, without case and accents. */
export function wordsOf(text: string): ReadonlySet<string> {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? []);
}

/**
 * Compares a goal with others.
 *
 * The weighted Jaccard index of their words: the weight of the shared words over that of all words in either. A word that occurs
 * in many of the others weighs little (inverse document frequency), so that the phrasing common to goals of one kind counts less
 * than what each is about.
 *
 * @returns From 0 (nothing in common) to 1 (the same words), in the order of `others`.
 */
export function similarities(goal: ReadonlySet<string>, others: readonly ReadonlySet<string>[]): number[] {
  const frequencies = new Map<string, number>();
  for (const words of others)
    for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  const weightOf = (word: string): number =>
    Math.log(1 + (others.length + 1) / ((frequencies.get(word) ?? 0) + 1));
  const goalWeight = sumOf(goal, weightOf);
  return others.map((words) => {
    const shared = sumOf(goal.intersection(words), weightOf);
    const all = goalWeight + sumOf(words, weightOf) - shared;
    return all === 0 ? 0 : shared / all;
  });
}

function sumOf(words: ReadonlySet<string>, weightOf: (word: string) => number): number {
  let sum = 0;
  for (const word of words) sum += weightOf(word);
  return sum;
}
