const LEFT_OUT = "…";

/**
 * The part that texts have in common, by whole words from both ends: `Collect region 1 of Q3` and `Collect region 2 of Q3`
 * become `Collect region … of Q3`. Undefined when they have nothing in common.
 */
export function commonText(texts: readonly string[]): string | undefined {
  const [first = "", ...others] = texts;
  if (others.every((text) => text === first)) return first.trim() || undefined;
  let from = first.length;
  let until = first.length;
  for (const text of others) {
    from = Math.min(from, text.length);
    while (
      from > 0 &&
      !(text.startsWith(first.slice(0, from)) && endsWord(first, from) && endsWord(text, from))
    )
      from -= 1;
    until = Math.min(until, text.length);
    while (
      until > 0 &&
      !(text.endsWith(first.slice(-until)) && startsWord(first, until) && startsWord(text, until))
    )
      until -= 1;
    if (from === 0 && until === 0) return undefined;
  }
  const start = first.slice(0, from).trim();
  const end = first.slice(Math.max(from, first.length - until)).trim();
  return [start, LEFT_OUT, end].filter((part) => part !== "").join(" ");
}

/** Whether a word ends before this position. */
function endsWord(text: string, at: number): boolean {
  return at === text.length || /\s/.test(text.charAt(at)) || /\s/.test(text.charAt(at - 1));
}

/** Whether a word starts this many characters before the end. */
function startsWord(text: string, length: number): boolean {
  const at = text.length - length;
  return at === 0 || /\s/.test(text.charAt(at)) || /\s/.test(text.charAt(at - 1));
}
