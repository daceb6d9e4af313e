/** Lines at the end of a terminal that are written anew in their place; on a pipe, each new first line once. */
import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";
import type { Output } from "./create-output.ts";

const UP_AND_CLEAR = (lines: number): string => `\u001b[${lines}A\u001b[0J`;

export type LiveBlock = {
  show(lines: readonly string[]): void;
  /** Leaves these lines where they are. */
  end(lines: readonly string[]): void;
};

export function createLiveBlock({ kind, size, raw, progress }: Output): LiveBlock {
  /** How wide each line is that stands there. */
  let widths: readonly number[] = [];
  let said = "";
  const draw = (lines: readonly string[]): void => {
    if (kind !== "terminal") {
      const [head = ""] = lines;
      if (head !== said) progress(head);
      said = head;
      return;
    }
    const { columns, rows } = size();
    // A window that has become narrower has wrapped the lines of before.
    const above = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    // A line that wrapped would be two. What has left the screen at its top cannot be written again.
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
