/** Differences of texts, marked as `git diff --word-diff` does, so that they can be read without colours. */
import { linePart } from "@planwright/shared/terminal";
import type { TextPart } from "@planwright/plan/compare";
import { styleText } from "node:util";

export function removed(text: string): string {
  return styleText("red", text);
}

export function added(text: string): string {
  return styleText("green", text);
}

/**
 * Renders `one [-two-]{+2+} three`. A word of which a part differs is shown whole. Control characters are stripped.
 *
 * @param context - The number of unchanged characters to show around each difference; default: all.
 */
export function wordDiff(parts: readonly TextPart[], context = Number.POSITIVE_INFINITY): string {
  const words = wholeWords(parts);
  return words
    .map(({ left, right }, index) => {
      if (left !== right) return `${marked("[-", left, "-]", removed)}${marked("{+", right, "+}", added)}`;
      return shortened(clean(left), { context, isFirst: index === 0, isLast: index === words.length - 1 });
    })
    .join("");
}

function marked(begin: string, text: string, end: string, style: (text: string) => string): string {
  return text === "" ? "" : style(`${begin}${clean(text)}${end}`);
}

type Pair = { left: string; right: string };

/** Extends each difference to the spaces around it. */
function wholeWords(parts: readonly TextPart[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let open: Pair = { left: "", right: "" };
  const close = (): void => {
    const last = pairs.at(-1);
    if (open.left !== open.right) pairs.push(open);
    else if (last !== undefined && last.left === last.right) pairs.splice(-1, 1, same(last.left + open.left));
    else if (open.left !== "") pairs.push(open);
    open = same("");
  };
  for (const { side, text } of parts) {
    if (side !== "both") open[side] += text;
    else
      for (const piece of text.split(/(\s+)/)) {
        const isSpace = piece.trim() === "";
        if (isSpace || endsInSpace(open)) close();
        open.left += piece;
        open.right += piece;
        if (isSpace) close();
      }
  }
  close();
  return pairs;
}

function endsInSpace({ left, right }: Pair): boolean {
  return [left, right].every((text) => text === "" || /\s$/.test(text));
}

function same(text: string): Pair {
  return { left: text, right: text };
}

type Shortening = { readonly context: number; readonly isFirst: boolean; readonly isLast: boolean };

function shortened(text: string, { context, isFirst, isLast }: Shortening): string {
  if (text.length <= 2 * context + 1) return text;
  return `${isFirst ? "" : text.slice(0, context)}…${isLast ? "" : text.slice(-context)}`;
}

function clean(text: string): string {
  return text.split("\n").map(linePart).join("\n");
}
