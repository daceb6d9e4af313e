import type { TextPart } from "@planwright/plan/compare";
import styles from "./compare.module.css";

/** One text with what was taken out of it and what was put in, told by marks as well as by colours. */
export function TextDifference({ parts }: { parts: readonly TextPart[] }) {
  if (parts.length === 0) return null;
  return (
    <p className={styles.textDifference}>
      {parts.map(({ side, text }, index) =>
        // Parts never change their places.
        side === "both" ? (
          <span key={index}>{text}</span>
        ) : side === "left" ? (
          <del key={index}>{text}</del>
        ) : (
          <ins key={index}>{text}</ins>
        ),
      )}
    </p>
  );
}
