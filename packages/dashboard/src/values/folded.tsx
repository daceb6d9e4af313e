import { type ReactNode, useState } from "react";
import { FOLDED } from "./value-words.ts";
import styles from "./values.module.css";

/** Shorter texts are shown whole. */
const CHARS_MAX = 1_200;

/** Something long, of which the beginning is shown until somebody wants the rest. @param chars - How long it is. */
export function Folded({ chars, children }: { chars: number; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  if (chars <= CHARS_MAX) return children;
  return (
    <div className={styles.folded} data-open={open}>
      <div className={styles.foldedPart}>{children}</div>
      <button
        type="button"
        className="button button-quiet"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? FOLDED.showLess : FOLDED.showAllCharacters(chars.toLocaleString("en"))}
      </button>
    </div>
  );
}
