/** Lines at the end of a terminal that are written anew in their place; on a pipe, each new first line once. */
import type { Output } from "./create-output.ts";

const UP_AND_CLEAR = (lines: number): string => `\u001b[${lines}A\u001b[0J`;

export type LiveBlock = {
  show(lines: readonly string[]): void;
  /** Leaves these lines where they are. */
  end(lines: readonly string[]): void;
};

export function createLiveBlock({ kind, width, raw, progress }: Output): LiveBlock {
  let shown = 0;
  let said = "";
  const draw = (lines: readonly string[]): void => {
    if (kind !== "terminal") {
      const [head = ""] = lines;
      if (head !== said) progress(head);
      said = head;
      return;
    }
    const back = shown === 0 ? "" : UP_AND_CLEAR(shown);
    raw(`${back}${lines.map((line) => fit(line, width)).join("\n")}\n`);
    shown = lines.length;
  };
  return {
    show: draw,
    end(lines) {
      draw(lines);
      shown = 0;
    },
  };
}

/** A line that wrapped would be two of them. Escape sequences take up no room. */
function fit(line: string, width: number): string {
  let room = width;
  let kept = "";
  // oxlint-disable-next-line no-control-regex -- the sequences are our own styles
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    if (part.startsWith("\u001b[")) kept += part;
    else {
      kept += part.slice(0, Math.max(0, room));
      room -= part.length;
    }
  }
  return kept;
}
