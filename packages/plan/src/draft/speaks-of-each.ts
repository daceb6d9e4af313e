/** Words that ask for the same to be done for every one of a list. */
const EACH = /\b(?:each|every|everyone|for all|one by one|top \d{1,4})\b/i;

/**
 * Whether a goal may need a step that runs once for each of a list. Models are told of such steps only then: what a
 * prompt says costs every plan its tokens.
 */
export function speaksOfEach(texts: Iterable<string>): boolean {
  for (const text of texts) if (EACH.test(text)) return true;
  return false;
}
