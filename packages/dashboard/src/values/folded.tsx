import { type ReactNode, useState } from "react";
import { FOLDED } from "./value-words.ts";
import styles from "./values.module.css";
import { Button } from "../ui/button.tsx";

/** Shorter texts are shown in full. */
const CHARS_MAX = 1_200;

/** Long contents, collapsed to their beginning until the reader expands them. @param chars - Their length. */
export function Folded({ chars, children }: { chars: number; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  if (chars <= CHARS_MAX) return children;
  return (
    <div className={styles.folded} data-open={open}>
      <div className={styles.foldedPart}>{children}</div>
      <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? FOLDED.showLess : FOLDED.showAllCharacters(chars.toLocaleString("en"))}
      </Button>
    </div>
  );
}
