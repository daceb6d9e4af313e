/** Lines at the end of a terminal that are redrawn in place; on a pipe, each new first line is printed once. */
import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";
import type { Output } from "./create-output.ts";

const UP_AND_CLEAR = (lines: number): string => `\u001b[${lines}A\u001b[0J`;

type LiveBlock = {
  show(lines: readonly string[]): void;
  /** Draws these lines a last time and leaves them in place. */
  end(lines: readonly string[]): void;
};

export function createLiveBlock({ kind, size, raw, progress }: Output): LiveBlock {
  /** The widths of the lines on the screen. */
  let widths: readonly number[] = [];
  let lastHead = "";
  const draw = (lines: readonly string[]): void => {
    if (kind !== "terminal") {
      const [head = ""] = lines;
      if (head !== lastHead) progress(head);
      lastHead = head;
      return;
    }
    const { columns, rows } = size();
    // A narrowed window has wrapped the earlier lines.
    const above = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    // Lines are cut because a wrapped line would count as two. Lines that scrolled off cannot be redrawn.
    const shown = lines.slice(0, Math.max(1, rows - 1)).map((line) => sliceAnsi(line, 0, columns));
    raw(`${above === 0 ? "" : UP_AND_CLEAR(above)}${shown.join("\n")}\n`);
    widths = shown.map((line) => stringWidth(line));
  };
  return {
    show: draw,
    end(lines) {
      draw(lines);
      widths = [];
    },
  };
}
