import type { ReactNode } from "react";

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
    <details className="step-section" open={open}>
      <summary>
        <h3>{title}</h3>
        {note !== undefined && <span className="section-note">{note}</span>}
      </summary>
      <div className="section-body">{children}</div>
    </details>
  );
}
