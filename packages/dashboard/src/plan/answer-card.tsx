import clsx from "clsx";
import { type ReactNode, useMemo, useState } from "react";
import type { Answer, Json, PlanView, StepView } from "../api/api-types.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { PlanWaits } from "../plan-header/plan-notes.tsx";
import { useOfflineModel } from "../shell/services.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon, type IconName } from "../ui/icons.tsx";
import { ArtifactView } from "../values/artifact-view.tsx";
import { DataTable } from "../values/data-table.tsx";
import { Markdown } from "../values/markdown.tsx";
import { readJson } from "../values/read-json.ts";
import { type Table, tableOf, tablesOf } from "../values/table-of.ts";
import { ValueView } from "../values/value-view.tsx";
import { ANSWER_CARD, ANSWER_DATA, ANSWER_NAMES, ANSWER_SOURCES, ANSWER_TEXT } from "./plan-words.ts";

/** Longer answers are collapsed, so that the plan below them stays within reach. */
const CHARS_SHORT = 3_000;

/** Showing more would push everything below the answer out of sight. */
const SHOWN_MAX = 24;

type Tone = "ok" | "warn" | "bad" | "run";
type Look = { readonly label: string; readonly tone: Tone };

const ICONS: Readonly<Record<Tone, IconName>> = {
  ok: "succeeded",
  warn: "alert",
  bad: "failed",
  run: "running",
};

const PENDING: Look = { label: ANSWER_CARD.pending, tone: "run" };

const TONES: Readonly<Record<Answer["status"], Tone>> = {
  success: "ok",
  partial: "warn",
  no_match: "warn",
  insufficient_stock: "warn",
  invalid_request: "bad",
  unsupported_intent: "warn",
  failed: "bad",
};

const SIDE_BY_SIDE = "flex flex-wrap items-start gap-x-6 gap-y-4 *:max-w-full";

type Props = {
  readonly view: PlanView;
  readonly answer: Answer;
  /** It replaces a {@link PendingAnswer}, and is at least as high. */
  readonly isReserved: boolean;
  readonly onSelectStep: (id: string) => void;
};

/** The answer: text, data, sources and files. */
export function AnswerCard({ view, answer, isReserved, onSelectStep }: Props) {
  const offline = useOfflineModel() && view.usage.modelCalls > 0;
  const named = new Set(answer.sources);
  const sources = view.steps.filter((step) => named.has(step.id));
  return (
    <Frame
      look={{ label: ANSWER_NAMES[answer.status], tone: TONES[answer.status] }}
      isReserved={isReserved}
      head={
        <>
          {offline && <span className="text-xs text-faint">{ANSWER_CARD.demoModel}</span>}
          <span className="spacer" />
          <CopyButton text={answer.text} label={ANSWER_CARD.copyAnswer} />
        </>
      }
    >
      <AnswerText text={answer.text} planId={view.planId} />
      <div className={`${SIDE_BY_SIDE} empty:hidden`}>
        {answer.data !== undefined && !isText(answer.data, answer.text) && (
          <AnswerData data={answer.data} view={view} />
        )}
        {answer.artifacts.map((artifact) => (
          <ArtifactView key={artifact.name} planId={view.planId} artifact={artifact} />
        ))}
      </div>
      <AnswerSources steps={sources} onSelectStep={onSelectStep} />
    </Frame>
  );
}

/** Reserves the answer's place while it is being written. */
export function PendingAnswer({ view }: Pick<Props, "view">) {
  const nowMs = usePlanNow();
  return (
    <Frame look={PENDING} isReserved>
      {view.status === "reflecting" && <PlanWaits view={view} nowMs={nowMs} />}
    </Frame>
  );
}

type FrameProps = {
  readonly look: Look;
  /** Reserves a height, so that an answer that fits moves nothing below it when it arrives. */
  readonly isReserved: boolean;
  readonly head?: ReactNode;
  readonly children: ReactNode;
};

function Frame({ look: { label, tone }, isReserved, head, children }: FrameProps) {
  const isPending = tone === "run";
  return (
    <section
      className={clsx(
        `tone-${tone}`,
        "card grid grid-cols-1 gap-3.5 border-tone/40 px-5.5 py-4.5 data-[reserved=true]:min-h-60 data-[reserved=true]:content-start max-lg:px-3.5 max-lg:py-3.5",
      )}
      aria-labelledby="answer-title"
      aria-busy={isPending || undefined}
      data-reserved={isReserved}
    >
      <header className="flex min-h-9 flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="flex-none text-base" id="answer-title">
          {ANSWER_CARD.answer}
        </h2>
        <span className="badge">
          <Icon name={ICONS[tone]} size={14} spin={isPending} />
          {label}
        </span>
        {head}
      </header>
      {children}
    </section>
  );
}

/** Whether the text contains all of the data already. */
function isText(data: Json, text: string): boolean {
  const said = structureIn(text);
  return said !== undefined && JSON.stringify(said) === JSON.stringify(data);
}

/** Numbers are shown with the answer; any other data only on request. */
function AnswerData({ data, view }: { data: Json; view: PlanView }) {
  if (data === null) return null;
  const tables = namedTables(data);
  if (tables.some(({ table }) => hasFigures(table))) return <Tables tables={tables} view={view} />;
  return (
    <details className="group">
      <summary className="w-fit cursor-pointer text-sm text-soft group-open:mb-2">{ANSWER_DATA.data}</summary>
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

/** Tables are often named after the step that produced them, whose description says more. */
function Tables({ tables, view }: { tables: readonly NamedTable[]; view: PlanView }) {
  const titles = new Map(view.steps.map((step) => [String(step.id), step.description]));
  return (
    <div className={SIDE_BY_SIDE}>
      {tables.map(({ name, table }) => (
        <section key={name} className="grid grid-cols-1 content-start gap-2">
          {name !== "" && <h3 className="text-sm font-semibold text-soft">{titles.get(name) || name}</h3>}
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

/** The steps that produced an answer: the first few, and all of them on request. */
function AnswerSources({ steps, onSelectStep }: AnswerSourcesProps) {
  const [all, setAll] = useState(false);
  if (steps.length === 0) return null;
  return (
    <footer className="flex flex-wrap items-center gap-2 border-t border-line pt-3 text-sm text-faint">
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
    <div className="grid max-w-[92ch] grid-cols-1 justify-items-start gap-2.5">
      <div
        className={clsx(
          "w-full",
          long &&
            !all &&
            "max-h-105 overflow-hidden mask-[linear-gradient(#000_75%,transparent)] print:max-h-none print:mask-none",
        )}
        data-testid="answer-text"
      >
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

/** A list or an object as the answer: as plain text its lines would run together. */
function structureIn(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const read = readJson(text);
  return "json" in read ? read.json : undefined;
}
