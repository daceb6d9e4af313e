import type { Json, PlanView } from "../api/api-types.ts";
import { formatBytes, formatCount, formatDuration } from "../ui/format.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { isObject } from "../values/is-object.ts";
import { ValueView } from "../values/value-view.tsx";
import { Applied } from "./applied.tsx";
import { InnerCalls } from "./inner-calls.tsx";
import type { Program } from "./programs-of.ts";
import { SourceDiff } from "./source-diff.tsx";
import { SourceView } from "./source-view.tsx";
import { PROGRAM_VIEW } from "./code-words.ts";
import styles from "./code.module.css";

type Props = {
  readonly view: PlanView;
  readonly program: Program;
  /** The version before it, when it was written instead of another. */
  readonly before: Program | undefined;
  readonly version: number;
  readonly onSelectStep: (id: string) => void;
};

/** One version of a program: its source, what it wrote and called, what it came to, and what it changed. */
export function ProgramView({ view, program, before, version, onSelectStep }: Props) {
  const { step, language, source, faults, logs, calls, apply } = program;
  const name = version === 1 ? step.id : PROGRAM_VIEW.versionOf(step.id, version);
  const general = faults.filter(({ line }) => line === undefined || line > source.split("\n").length);
  return (
    <section className={styles.program} aria-label={PROGRAM_VIEW.program(name)}>
      <header>
        <h3>{step.description === "" ? name : step.description}</h3>
        <p className={styles.programMeta}>
          {version > 1 && <strong>{PROGRAM_VIEW.version(version)}</strong>}
          <StatusBadge status={step.status} />
          <span>{language}</span>
          <code>{step.tool}</code>
          {step.durationMs !== undefined && <span>{formatDuration(step.durationMs)}</span>}
          {step.items !== undefined && (
            <span>{PROGRAM_VIEW.runsForEachOf(formatCount(step.items.length, "item"))}</span>
          )}
          {[step, ...(apply === undefined ? [] : [apply])].map(({ id }) => (
            <button key={id} type="button" className="chip" onClick={() => onSelectStep(id)}>
              {PROGRAM_VIEW.step(id)}
            </button>
          ))}
        </p>
      </header>
      {general.map(({ message, code, attempt }) => (
        <p key={`${attempt} ${message}`} className={styles.sourceFault}>
          {message} <code>{code}</code>
        </p>
      ))}
      {before !== undefined && (
        <>
          <h4>{PROGRAM_VIEW.changes}</h4>
          <SourceDiff
            before={before.source}
            after={source}
            label={PROGRAM_VIEW.lineDiffFromTo(before.step.id, step.id)}
          />
        </>
      )}
      <Source program={program} name={name} isFolded={before !== undefined} />
      {calls.length > 0 && (
        <>
          <h4>{PROGRAM_VIEW.toolCalls}</h4>
          <InnerCalls planId={view.planId} calls={calls} />
        </>
      )}
      {logs.length > 0 && (
        <>
          <h4>{PROGRAM_VIEW.printedOutput}</h4>
          <pre className="text-block" tabIndex={0} aria-label={PROGRAM_VIEW.printedOutput}>
            {logs.join("\n")}
          </pre>
        </>
      )}
      <Result view={view} program={program} />
      {step.tool === "data.dryrun" && step.status === "succeeded" && (
        <Applied view={view} program={program} />
      )}
    </section>
  );
}

/** A later version is told by its difference; the whole of it is there on demand. */
function Source({ program, name, isFolded }: { program: Program; name: string; isFolded: boolean }) {
  const { source, language, faults } = program;
  const label = PROGRAM_VIEW.sourceOf(name);
  if (!isFolded || faults.length > 0) {
    return <SourceView name={label} source={source} language={language} faults={faults} />;
  }
  return (
    <details className={styles.programSource}>
      <summary>{PROGRAM_VIEW.wholeProgram}</summary>
      <SourceView name={label} source={source} language={language} faults={faults} />
    </details>
  );
}

function Result({ view, program: { step } }: { view: PlanView; program: Program }) {
  const { output } = step;
  if (output === undefined) return null;
  if (!("value" in output)) return <pre className="text-block">{output.preview}</pre>;
  const { value } = output;
  if (!isObject(value)) return <ValueView value={value} planId={view.planId} />;
  const { text, status, data, result, state, memoryBytes } = value;
  const rest: readonly (readonly [string, Json | undefined])[] = isObject(data)
    ? [
        [PROGRAM_VIEW.rows, data["rows"]],
        [PROGRAM_VIEW.data, data["json"]],
      ]
    : [];
  return (
    <>
      <h4>
        {PROGRAM_VIEW.result}
        {typeof status === "string" && <code className={styles.programStatus}>{status}</code>}
        {typeof memoryBytes === "number" && (
          <span className={styles.programMemory}>{PROGRAM_VIEW.ofMemory(formatBytes(memoryBytes))}</span>
        )}
      </h4>
      {typeof text === "string" && <p className={styles.programText}>{text}</p>}
      {result !== undefined && <ValueView value={result} planId={view.planId} />}
      {[...rest, [PROGRAM_VIEW.resultingState, state] as const].map(([name, shown]) =>
        shown === undefined ? null : (
          <div key={name}>
            <h5>{name}</h5>
            <ValueView value={shown} planId={view.planId} />
          </div>
        ),
      )}
    </>
  );
}
