import type { TextPart } from "@planwright/plan/compare";

/** A text with its removed and added parts, shown by marks as well as colours. */
export function TextDifference({ parts }: { parts: readonly TextPart[] }) {
  if (parts.length === 0) return null;
  return (
    <p className="max-w-[92ch] whitespace-pre-wrap">
      {parts.map(({ side, text }, index) =>
        // Parts never change their order.
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
