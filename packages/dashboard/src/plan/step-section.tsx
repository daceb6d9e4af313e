import type { ReactNode } from "react";
import styles from "./step.module.css";

type Props = {
  readonly title: string;
  /** Beside the title: how many there are, how far it is. */
  readonly note?: string | undefined;
  readonly open?: boolean;
  readonly children: ReactNode;
};

/** A part of what is known of a step, which can be folded away. */
export function StepSection({ title, note, open = true, children }: Props) {
  return (
    <details className={styles.stepSection} data-part="step-section" open={open}>
      <summary>
        <h3>{title}</h3>
        {note !== undefined && <span className={styles.sectionNote}>{note}</span>}
      </summary>
      <div className={styles.sectionBody}>{children}</div>
    </details>
  );
}
