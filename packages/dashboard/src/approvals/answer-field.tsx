import { useId } from "react";
import type { Json } from "../api/api-types.ts";
import { ANSWER_FIELD } from "./approval-words.ts";
import styles from "./approvals.module.css";

type Props = {
  readonly choices: readonly Json[] | undefined;
  /** Of one of the choices its JSON, else what was written. */
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Where a question is answered: one of its choices, or free words. */
export function AnswerField({ choices, value, onChange }: Props) {
  const id = useId();
  if (choices === undefined) {
    return (
      <div>
        <label htmlFor={id}>{ANSWER_FIELD.answer}</label>
        <textarea
          id={id}
          className="field"
          rows={3}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    );
  }
  return (
    <fieldset className={styles.decisionChoices}>
      <legend>{ANSWER_FIELD.answer}</legend>
      {choices.map((choice) => {
        const json = JSON.stringify(choice);
        return (
          <label key={json}>
            <input type="radio" name={id} checked={value === json} onChange={() => onChange(json)} />
            {typeof choice === "string" ? choice : json}
          </label>
        );
      })}
    </fieldset>
  );
}
