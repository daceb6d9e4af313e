import { useMemo, useState } from "react";
import type { Json } from "../api/api-types.ts";
import { Markdown } from "../values/markdown.tsx";
import { readJson } from "../values/read-json.ts";
import { ValueView } from "../values/value-view.tsx";
import { ANSWER_TEXT } from "./plan-words.ts";
import styles from "./answer.module.css";

/** Longer answers are shown in part, so that the plan below them stays in reach. */
const CHARS_SHORT = 3_000;

export function AnswerText({ text, planId }: { text: string; planId: string }) {
  const [all, setAll] = useState(false);
  const value = useMemo(() => structureIn(text), [text]);
  const long = text.length > CHARS_SHORT;
  return (
    <div className={styles.answerText}>
      <div className={styles.answerWords} data-clamped={long && !all} data-testid="answer-text">
        {value === undefined ? <Markdown text={text} /> : <ValueView value={value} planId={planId} />}
      </div>
      {long && (
        <button type="button" className="button" onClick={() => setAll(!all)}>
          {all ? ANSWER_TEXT.showLess : ANSWER_TEXT.showFullAnswer}
        </button>
      )}
    </div>
  );
}

/** A list or an object that an answer consists of: as text its lines would run together. */
export function structureIn(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const read = readJson(text);
  return "json" in read ? read.json : undefined;
}
