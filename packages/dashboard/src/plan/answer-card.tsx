import type { Answer, Json, PlanView } from "../api/api-types.ts";
import { useOfflineModel } from "../shell/services.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icons.tsx";
import { ArtifactView } from "../values/artifact-view.tsx";
import { Markdown } from "../values/markdown.tsx";
import { tableOf } from "../values/table-of.ts";
import { ValueView } from "../values/value-view.tsx";

type Look = { readonly label: string; readonly tone: "ok" | "warn" | "bad" };

const LOOKS: Readonly<Record<Answer["status"], Look>> = {
  success: { label: "Answered", tone: "ok" },
  partial: { label: "Answered in part", tone: "warn" },
  no_match: { label: "Nothing found", tone: "warn" },
  insufficient_stock: { label: "Not enough in stock", tone: "warn" },
  invalid_request: { label: "Invalid request", tone: "bad" },
  unsupported_intent: { label: "Cannot be done here", tone: "warn" },
  failed: { label: "Failed", tone: "bad" },
};

type Props = {
  readonly view: PlanView;
  readonly answer: Answer;
  readonly onSelectStep: (id: string) => void;
};

/** The answer: text, data, where it comes from, and its files. */
export function AnswerCard({ view, answer, onSelectStep }: Props) {
  const offline = useOfflineModel() && view.usage.modelCalls > 0;
  const look = LOOKS[answer.status];
  const sources = view.steps.filter((step) => answer.sources.includes(step.id));
  return (
    <section className={`answer card tone-${look.tone}`} aria-labelledby="answer-title">
      <header>
        <h2 id="answer-title">Answer</h2>
        <span className="badge">
          <Icon
            name={look.tone === "ok" ? "succeeded" : look.tone === "warn" ? "alert" : "failed"}
            size={14}
          />
          {look.label}
        </span>
        {offline && <span className="answer-offline">offline model: rules, not a language model</span>}
        <span className="spacer" />
        <CopyButton text={answer.text} label="Copy the answer" />
      </header>
      <div className="answer-text" data-testid="answer-text">
        <Markdown text={answer.text} />
      </div>
      {answer.data !== undefined && <AnswerData data={answer.data} planId={view.planId} />}
      {answer.artifacts.map((artifact) => (
        <ArtifactView key={artifact.name} planId={view.planId} artifact={artifact} />
      ))}
      {sources.length > 0 && (
        <footer>
          <span>Sources</span>
          {sources.map((step) => (
            <button
              key={step.id}
              type="button"
              className="answer-source"
              title={step.description}
              onClick={() => onSelectStep(step.id)}
            >
              <code>{step.id}</code> {step.description === "" ? step.tool : step.description}
            </button>
          ))}
        </footer>
      )}
    </section>
  );
}

/** A table belongs to the answer; any other data is for those who ask for it. */
function AnswerData({ data, planId }: { data: Json; planId: string }) {
  if (data === null) return null;
  const value = <ValueView value={data} planId={planId} />;
  if (tableOf(data) !== undefined) return value;
  return (
    <details className="answer-data">
      <summary>Data</summary>
      {value}
    </details>
  );
}
