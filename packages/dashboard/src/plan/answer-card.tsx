import { useId, useMemo, useState } from "react";
import type { Answer, Json, PlanView, StepView } from "../api/api-types.ts";
import { useAction } from "../api/use-action.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { PlanWaits } from "../plan-header/plan-notes.tsx";
import { useOfflineModel, useServices } from "../shell/services.ts";
import { useWhyNot } from "../sign-in/caller.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icons.tsx";
import { Problem } from "../ui/problem.tsx";
import { ArtifactView } from "../values/artifact-view.tsx";
import { DataTable } from "../values/data-table.tsx";
import { Markdown } from "../values/markdown.tsx";
import { readJson } from "../values/read-json.ts";
import { type Table, tableOf, tablesOf } from "../values/table-of.ts";
import { ValueView } from "../values/value-view.tsx";
import { ANSWER_CARD, ANSWER_DATA, ANSWER_SOURCES, ANSWER_TEXT, FEEDBACK_CARD } from "./plan-words.ts";
import styles from "./answer.module.css";

const RATINGS = [1, 2, 3, 4, 5] as const;
const COMMENT_CHARS_MAX = 2_000;

/** Longer answers are shown in part, so that the plan below them stays in reach. */
const CHARS_SHORT = 3_000;

/** More would push everything below the answer out of sight. */
const SHOWN_MAX = 24;

type Look = { readonly label: string; readonly tone: "ok" | "warn" | "bad" };

const LOOKS: Readonly<Record<Answer["status"], Look>> = {
  success: { label: ANSWER_CARD.answered, tone: "ok" },
  partial: { label: ANSWER_CARD.partialAnswer, tone: "warn" },
  no_match: { label: ANSWER_CARD.nothingFound, tone: "warn" },
  insufficient_stock: { label: ANSWER_CARD.notEnoughInStock, tone: "warn" },
  invalid_request: { label: ANSWER_CARD.invalidRequest, tone: "bad" },
  unsupported_intent: { label: ANSWER_CARD.notSupported, tone: "warn" },
  failed: { label: ANSWER_CARD.failed, tone: "bad" },
};

type Props = {
  readonly view: PlanView;
  readonly answer: Answer;
  /** It takes the place of a {@link PendingAnswer}, and is at least as high. */
  readonly isReserved: boolean;
  readonly onSelectStep: (id: string) => void;
};

/** The answer: text, data, where it comes from, and its files. */
export function AnswerCard({ view, answer, isReserved, onSelectStep }: Props) {
  const offline = useOfflineModel() && view.usage.modelCalls > 0;
  const look = LOOKS[answer.status];
  const named = new Set(answer.sources);
  const sources = view.steps.filter((step) => named.has(step.id));
  return (
    <section
      className={`${styles.answer} card tone-${look.tone}`}
      aria-labelledby="answer-title"
      data-reserved={isReserved}
    >
      <header>
        <h2 id="answer-title">{ANSWER_CARD.answer}</h2>
        <span className="badge">
          <Icon
            name={look.tone === "ok" ? "succeeded" : look.tone === "warn" ? "alert" : "failed"}
            size={14}
          />
          {look.label}
        </span>
        {offline && <span className={styles.answerOffline}>{ANSWER_CARD.demoModel}</span>}
        <span className="spacer" />
        <CopyButton text={answer.text} label={ANSWER_CARD.copyAnswer} />
      </header>
      <AnswerText text={answer.text} planId={view.planId} />
      <div className={styles.answerExtras}>
        {answer.data !== undefined && !isText(answer.data, answer.text) && (
          <AnswerData data={answer.data} view={view} />
        )}
        {answer.artifacts.map((artifact) => (
          <ArtifactView key={artifact.name} planId={view.planId} artifact={artifact} />
        ))}
      </div>
      <AnswerSources steps={sources} onSelectStep={onSelectStep} />
    </section>
  );
}

/** Holds the answer's place while it is being written. */
export function PendingAnswer({ view }: Pick<Props, "view">) {
  const nowMs = usePlanNow();
  return (
    <section
      className={`${styles.answer} card tone-run`}
      aria-labelledby="answer-title"
      aria-busy="true"
      data-reserved="true"
    >
      <header>
        <h2 id="answer-title">{ANSWER_CARD.answer}</h2>
        <span className="badge">
          <Icon name="running" size={14} spin />
          {ANSWER_CARD.pending}
        </span>
      </header>
      {view.status === "reflecting" && <PlanWaits view={view} nowMs={nowMs} />}
    </section>
  );
}

/** The text says it all already. */
function isText(data: Json, text: string): boolean {
  const said = structureIn(text);
  return said !== undefined && JSON.stringify(said) === JSON.stringify(data);
}

/** An answer's figures belong to the answer; any other data is for those who ask for it. */
function AnswerData({ data, view }: { data: Json; view: PlanView }) {
  if (data === null) return null;
  const tables = namedTables(data);
  if (tables.some(({ table }) => hasFigures(table))) return <Tables tables={tables} view={view} />;
  return (
    <details className={styles.answerData}>
      <summary>{ANSWER_DATA.data}</summary>
      {tables.length > 0 ? (
        <Tables tables={tables} view={view} />
      ) : (
        <ValueView value={data} planId={view.planId} />
      )}
    </details>
  );
}

type NamedTable = { readonly name: string; readonly table: Table };

function namedTables(data: Json): readonly NamedTable[] {
  const table = tableOf(data);
  return table === undefined ? tablesOf(data) : [{ name: "", table }];
}

/** Tables are often named after the step that they come from, whose description says more. */
function Tables({ tables, view }: { tables: readonly NamedTable[]; view: PlanView }) {
  const titles = new Map(view.steps.map((step) => [String(step.id), step.description]));
  return (
    <div className={styles.answerTables}>
      {tables.map(({ name, table }) => (
        <section key={name}>
          {name !== "" && <h3>{titles.get(name) || name}</h3>}
          <DataTable table={table} />
        </section>
      ))}
    </div>
  );
}

function hasFigures({ rows }: Table): boolean {
  return rows.some((row) => row.some((cell) => typeof cell === "number"));
}

type AnswerSourcesProps = {
  readonly steps: readonly StepView[];
  readonly onSelectStep: (id: string) => void;
};

/** The steps that an answer comes from: the first few, and all of them on request. */
function AnswerSources({ steps, onSelectStep }: AnswerSourcesProps) {
  const [all, setAll] = useState(false);
  if (steps.length === 0) return null;
  return (
    <footer>
      <span>{ANSWER_SOURCES.sources}</span>
      {(all ? steps : steps.slice(0, SHOWN_MAX)).map((step) => (
        <button
          key={step.id}
          type="button"
          className="chip"
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
          className="chip"
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

function AnswerText({ text, planId }: { text: string; planId: string }) {
  const [all, setAll] = useState(false);
  const value = useMemo(() => structureIn(text), [text]);
  const long = text.length > CHARS_SHORT;
  return (
    <div className={styles.answerText}>
      <div className={styles.answerWords} data-clamped={long && !all} data-testid="answer-text">
        {value === undefined ? <Markdown text={text} /> : <ValueView value={value} planId={planId} />}
      </div>
      {long && (
        <Button onClick={() => setAll(!all)}>
          {all ? ANSWER_TEXT.showLess : ANSWER_TEXT.showFullAnswer}
        </Button>
      )}
    </div>
  );
}

/** A list or an object that an answer consists of: as text its lines would run together. */
function structureIn(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const read = readJson(text);
  return "json" in read ? read.json : undefined;
}

/** The form for feedback on a finished plan. The latest feedback counts, and later drafts learn from it. */
export function FeedbackCard({ view, onDone }: { view: PlanView; onDone: () => void }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(onDone);
  const { feedback } = view;
  const whyNot = useWhyNot("ratePlan");
  const [rating, setRating] = useState<number>();
  const [comment, setComment] = useState("");
  const ids = { group: useId(), comment: useId() };
  const chosen = rating ?? feedback?.rating;
  const send = () =>
    run(async (signal) => {
      if (rating === undefined) return;
      const said = comment.trim() === "" ? { rating } : { rating, comment: comment.trim() };
      await gateway.rate(view.planId, said, signal);
      setRating(undefined);
      setComment("");
    });
  return (
    <section className={styles.feedback} aria-labelledby={ids.group}>
      <fieldset disabled={whyNot !== undefined} title={whyNot}>
        <legend id={ids.group}>
          {feedback === undefined ? FEEDBACK_CARD.rateThisPlan : FEEDBACK_CARD.yourRating}
        </legend>
        {RATINGS.map((value) => (
          <label key={value} data-chosen={chosen !== undefined && value <= chosen}>
            <input
              type="radio"
              name={ids.group}
              checked={chosen === value}
              onChange={() => setRating(value)}
            />
            <span aria-hidden="true">★</span>
            <span className="visually-hidden">{FEEDBACK_CARD.of5(value)}</span>
          </label>
        ))}
      </fieldset>
      {rating !== undefined && (
        <div className={styles.feedbackWords}>
          <label className="visually-hidden" htmlFor={ids.comment}>
            {FEEDBACK_CARD.comment}
          </label>
          <input
            id={ids.comment}
            className="field"
            maxLength={COMMENT_CHARS_MAX}
            placeholder={FEEDBACK_CARD.commentHint}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <Button kind="primary" disabled={busy} onClick={() => void send()}>
            {FEEDBACK_CARD.sendRating}
          </Button>
        </div>
      )}
      {rating === undefined && feedback?.comment !== undefined && <p>{feedback.comment}</p>}
      {error !== undefined && <Problem error={error} />}
    </section>
  );
}
