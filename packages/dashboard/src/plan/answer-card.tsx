import type { Answer, Json, PlanView } from "../api/api-types.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { PlanWaits } from "../plan-header/plan-waits.tsx";
import { useOfflineModel } from "../shell/services.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icons.tsx";
import { AnswerData } from "./answer-data.tsx";
import { AnswerSources } from "./answer-sources.tsx";
import { AnswerText, structureIn } from "./answer-text.tsx";
import { ArtifactView } from "../values/artifact-view.tsx";
import { ANSWER_CARD } from "./plan-words.ts";
import styles from "./answer.module.css";

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
