import type { TextPart } from "@planwright/plan/compare";

/** One text with what was taken out of it and what was put in, told by marks as well as by colours. */
export function TextDifference({ parts }: { parts: readonly TextPart[] }) {
  if (parts.length === 0) return null;
  return (
    <p className="max-w-[92ch] whitespace-pre-wrap">
      {parts.map(({ side, text }, index) =>
        // Parts never change their places.
        side === "both" ? (
          <span key={index}>{text}</span>
        ) : side === "left" ? (
          <del key={index} className="bg-bad-soft text-bad">
            {text}
          </del>
        ) : (
          <ins key={index} className="bg-ok-soft text-ok">
            {text}
          </ins>
        ),
      )}
    </p>
  );
}
