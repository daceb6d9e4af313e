/** Where a text can be cut, best first: after a paragraph, a line, a sentence, a word. */
const CUTS = ["\n\n", "\n", ". ", " "] as const;

/**
 * Cuts a text into parts that fit into one call. Nothing is lost: joined, the parts are the text.
 *
 * A part ends at the end of a paragraph, else of a line, a sentence or a word, if there is one in its last half.
 *
 * @param charsMax - Maximum length of one part; at least 2, so that no character of two code units is cut.
 */
export function chunkText(text: string, charsMax: number): string[] {
  const chunks: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = from + charsMax >= text.length ? text.length : from + cutAt(text.slice(from, from + charsMax));
    chunks.push(text.slice(from, to));
    from = to;
  }
  return chunks;
}

function cutAt(window: string): number {
  for (const cut of CUTS) {
    const at = window.lastIndexOf(cut);
    if (at >= window.length / 2) return at + cut.length;
  }
  // Never cuts between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(window) ? window.length - 1 : window.length;
}
