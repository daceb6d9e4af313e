import { diffLines } from "@planwright/plan/compare";
import { useMemo } from "react";
import { formatCount } from "../ui/format.ts";
import { SOURCE_DIFF, SIDES } from "./code-words.ts";
import { SourceBox, SourceLine, SourceLines } from "./program-parts.tsx";

/** Number of unchanged lines shown on each side of a change. */
const CONTEXT = 3;
const LINES_MAX = 1_000;

type Line = { readonly side: "both" | "left" | "right" | "gap"; readonly text: string };

const SIGNS = { both: " ", left: "−", right: "+", gap: "⋯" } as const;
const TONES = { both: undefined, left: "bad", right: "ok", gap: undefined } as const;

/** The difference between two versions of a program, line by line. */
export function SourceDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = useMemo(() => changedLines(before, after), [before, after]);
  const count = (side: Line["side"]) => lines.filter((line) => line.side === side).length;
  if (lines.length === 0) return <p className="soft">{SOURCE_DIFF.sameProgram}</p>;
  return (
    <SourceBox>
      <Count>
        {SOURCE_DIFF.removedAdded(formatCount(count("left"), "line"), formatCount(count("right"), "line"))}
      </Count>
      <SourceLines label={label}>
        {lines.slice(0, LINES_MAX).map(({ side, text }, index) => (
          <SourceLine
            // Lines never change their order.
            key={index}
            sign={<span aria-hidden="true">{SIGNS[side]}</span>}
            tone={TONES[side]}
          >
            {SIDES[side] !== "" && <span className="visually-hidden">{SIDES[side]}</span>}
            {side === "gap" ? <span className="text-faint">{text}</span> : text}
          </SourceLine>
        ))}
      </SourceLines>
      {lines.length > LINES_MAX && <Count>{SOURCE_DIFF.moreLines(lines.length - LINES_MAX)}</Count>}
    </SourceBox>
  );
}

function Count({ children }: { children: string }) {
  return <p className="border-b border-line px-3.5 py-1 text-xs text-soft">{children}</p>;
}

/** Empty when nothing changed. */
export function changedLines(before: string, after: string): Line[] {
  const parts = diffLines(before, after);
  if (parts.every(({ side }) => side === "both")) return [];
  return parts.flatMap(({ side, items }, index): Line[] => {
    const lines = items.map((text) => ({ side, text }));
    if (side !== "both") return lines;
    const head = index === 0 ? 0 : CONTEXT;
    const tail = index === parts.length - 1 ? 0 : CONTEXT;
    const left = lines.length - head - tail;
    if (left <= 1) return lines;
    const gap: Line = { side: "gap", text: formatCount(left, "line") };
    return [...lines.slice(0, head), gap, ...lines.slice(lines.length - tail)];
  });
}
