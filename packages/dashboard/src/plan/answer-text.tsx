import { useState } from "react";
import { Markdown } from "../values/markdown.tsx";

/** Longer answers are shown in part, so that the plan below them stays in reach. */
const CHARS_SHORT = 3_000;

export function AnswerText({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const long = text.length > CHARS_SHORT;
  return (
    <div className="answer-text">
      <div className="answer-words" data-clamped={long && !all} data-testid="answer-text">
        <Markdown text={text} />
      </div>
      {long && (
        <button type="button" className="button" onClick={() => setAll(!all)}>
          {all ? "Show less" : "Show the whole answer"}
        </button>
      )}
    </div>
  );
}
