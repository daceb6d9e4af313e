/** Where a text may be cut, best first: after a paragraph, a line, a sentence, a word. */
const CUTS = ["\n\n", "\n", ". ", " "] as const;

/**
 * Cuts a text into parts that one call can read. Nothing is lost: joined, the parts are the text.
 *
 * A part ends where a paragraph does, else a line, a sentence or a word, if there is one in its last half.
 *
 * @param charsMax - Of one part; at least 2, so that no character that takes two code units is cut.
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
  // Between the halves of a surrogate pair nothing is cut.
  return /[\uD800-\uDBFF]$/.test(window) ? window.length - 1 : window.length;
}
