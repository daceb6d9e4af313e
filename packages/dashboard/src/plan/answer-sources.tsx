import { useState } from "react";
import type { StepView } from "../api/api-types.ts";
import { ANSWER_SOURCES } from "./plan-words.ts";
import styles from "./answer.module.css";

/** More would push everything below the answer out of sight. */
const SHOWN_MAX = 24;

type Props = {
  readonly steps: readonly StepView[];
  readonly onSelectStep: (id: string) => void;
};

/** The steps that an answer comes from: the first few, and all of them on request. */
export function AnswerSources({ steps, onSelectStep }: Props) {
  const [all, setAll] = useState(false);
  if (steps.length === 0) return null;
  return (
    <footer>
      <span>{ANSWER_SOURCES.sources}</span>
      {(all ? steps : steps.slice(0, SHOWN_MAX)).map((step) => (
        <button
          key={step.id}
          type="button"
          className={styles.answerSource}
          data-part="answer-source"
          title={step.description}
          onClick={() => onSelectStep(step.id)}
        >
          <code>{step.id}</code> {step.description === "" ? step.tool : step.description}
        </button>
      ))}
      {steps.length > SHOWN_MAX && (
        <button
          type="button"
          className={styles.answerSource}
          data-part="answer-source"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? ANSWER_SOURCES.showFewer : ANSWER_SOURCES.showAll(steps.length.toLocaleString("en"))}
        </button>
      )}
    </footer>
  );
}
