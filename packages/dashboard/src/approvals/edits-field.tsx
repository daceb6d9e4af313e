import { useId } from "react";
import type { Edited } from "./edited-json.ts";
import styles from "./approvals.module.css";

type Props = {
  readonly label: string;
  readonly text: string;
  /** What the text says. */
  readonly edits: Edited | undefined;
  readonly onChange: (text: string) => void;
};

const ROWS_MAX = 20;

/** Where a person writes what is to run instead, as JSON. */
export function EditsField({ label, text, edits, onChange }: Props) {
  const id = useId();
  const isInvalid = edits?.kind === "invalid";
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={`field ${styles.decisionEdits}`}
        rows={Math.min(ROWS_MAX, text.split("\n").length + 1)}
        spellCheck={false}
        value={text}
        aria-invalid={isInvalid}
        onChange={(event) => onChange(event.target.value)}
      />
      {isInvalid && (
        <p className={styles.decisionFault} role="alert">
          {edits.reason}
        </p>
      )}
    </div>
  );
}
