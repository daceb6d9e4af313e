import { Fragment, useMemo, useState } from "react";
import type { Json, PlanView } from "../api/api-types.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatBytes, formatCount, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { isObject } from "../values/is-object.ts";
import { JsonView } from "../values/json-view.tsx";
import { ValueView } from "../values/value-view.tsx";
import { Applied } from "./applied.tsx";
import { EFFECTS, INNER_CALLS, PROGRAM_VIEW, SOURCE_VIEW } from "./code-words.ts";
import { highlight, type Token } from "./highlight.ts";
import { FaultLine, SourceBox, SourceLine, SourceLines, Title } from "./program-parts.tsx";
import type { Fault, InnerCall, Program } from "./programs-of.ts";
import { SourceDiff } from "./source-diff.tsx";

const LINES_SHOWN = 400;

const ARGS_CHARS_MAX = 120;

type Props = {
  readonly view: PlanView;
  readonly program: Program;
  /** The version that this one replaced, if any. */
  readonly before: Program | undefined;
  readonly version: number;
  readonly onSelectStep: (id: string) => void;
};

/** One version of a program: its source, logs, calls, result and changes. */
export function ProgramView({ view, program, before, version, onSelectStep }: Props) {
  const { step, language, source, faults, logs, calls, apply } = program;
  const name = version === 1 ? step.id : PROGRAM_VIEW.versionOf(step.id, version);
  const general = faults.filter(({ line }) => line === undefined || line > source.split("\n").length);
  return (
    <section
      className="grid grid-cols-1 gap-2.5 border-l-3 border-line-strong pl-3.5 max-lg:pl-2"
      aria-label={PROGRAM_VIEW.program(name)}
    >
      <header>
        <h3 className="text-base">{step.description === "" ? name : step.description}</h3>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
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
      {general.map((fault) => (
        <FaultLine key={`${fault.attempt} ${fault.message}`} fault={fault} atLine={false} />
      ))}
      {before !== undefined && (
        <>
          <Title>{PROGRAM_VIEW.changes}</Title>
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
          <Title>{PROGRAM_VIEW.toolCalls}</Title>
          <InnerCalls planId={view.planId} calls={calls} />
        </>
      )}
      {logs.length > 0 && (
        <>
          <Title>{PROGRAM_VIEW.printedOutput}</Title>
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

/** A later version is shown as a difference, and in full on request. */
function Source({ program, name, isFolded }: { program: Program; name: string; isFolded: boolean }) {
  const { source, language, faults } = program;
  const label = PROGRAM_VIEW.sourceOf(name);
  if (!isFolded || faults.length > 0) {
    return <SourceView name={label} source={source} language={language} faults={faults} />;
  }
  return (
    <details>
      <summary className="mb-1.5 w-fit cursor-pointer text-sm text-soft">{PROGRAM_VIEW.wholeProgram}</summary>
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
      <Title>
        {PROGRAM_VIEW.result}
        {typeof status === "string" && <code className="ml-2 font-normal">{status}</code>}
        {typeof memoryBytes === "number" && (
          <span className="ml-2 font-normal">{PROGRAM_VIEW.ofMemory(formatBytes(memoryBytes))}</span>
        )}
      </Title>
      {typeof text === "string" && <p className="max-w-[92ch] whitespace-pre-wrap">{text}</p>}
      {result !== undefined && <ValueView value={result} planId={view.planId} />}
      {[...rest, [PROGRAM_VIEW.resultingState, state] as const].map(([name, shown]) =>
        shown === undefined ? null : (
          <div key={name}>
            <h5 className="mb-1 text-xs font-semibold text-faint">{name}</h5>
            <ValueView value={shown} planId={view.planId} />
          </div>
        ),
      )}
    </>
  );
}

/** The tools that a program called, in the order of the calls. */
function InnerCalls({ planId, calls }: { planId: string; calls: readonly InnerCall[] }) {
  return (
    <ol aria-label={INNER_CALLS.toolCalls}>
      {calls.map((call) => (
        <Call key={call.turn} planId={planId} call={call} />
      ))}
    </ol>
  );
}

function Call({ planId, call: { turn, tool, taken, effect } }: { planId: string; call: InnerCall }) {
  const args = taken?.args === undefined ? "" : JSON.stringify(taken.args);
  const failed = taken?.error !== undefined;
  return (
    <li>
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-2.5 gap-y-0.5 border-b border-line px-2 py-1 text-sm">
          <span className="min-w-4.5 text-faint tabular-nums">{turn}</span>
          <code>{tool === "" ? INNER_CALLS.noTool : tool}</code>
          <span className="flex-[1_1_120px] truncate font-mono text-xs text-soft">
            {args.slice(0, ARGS_CHARS_MAX)}
          </span>
          <span className={`badge badge-plain tone-${failed ? "bad" : taken === undefined ? "run" : "ok"}`}>
            <Icon name={failed ? "failed" : taken === undefined ? "running" : "succeeded"} size={13} />
            {failed ? INNER_CALLS.failed : taken === undefined ? INNER_CALLS.running : INNER_CALLS.returned}
          </span>
          <span className="soft">
            {effect === undefined ? INNER_CALLS.readOnly : `${effect.effect}: ${EFFECTS[effect.status]}`}
          </span>
        </summary>
        <div className="grid grid-cols-1 gap-2 pt-2 pb-3 pl-9">
          {taken?.args !== undefined && <JsonView value={taken.args} />}
          {taken?.error !== undefined && (
            <p>
              {taken.error.message} <code>{taken.error.code}</code>
            </p>
          )}
          {taken?.output !== undefined &&
            ("value" in taken.output ? (
              <ValueView value={taken.output.value} planId={planId} />
            ) : (
              <pre className="text-block">{taken.output.preview}</pre>
            ))}
          {effect !== undefined && (
            <p className="soft">
              {INNER_CALLS.effectKey} <code>{effect.key}</code>
              {INNER_CALLS.attemptBy(effect.attempt, effect.by)}
            </p>
          )}
        </div>
      </details>
    </li>
  );
}

type SourceViewProps = {
  readonly name: string;
  readonly source: string;
  readonly language: string;
  readonly faults: readonly Fault[];
};

/** A program with line numbers; each error is shown at its line. */
function SourceView({ name, source, language, faults }: SourceViewProps) {
  const [all, setAll] = useState(false);
  const lines = useMemo(() => highlight(source, language), [source, language]);
  const last = Math.max(0, ...faults.map(({ line = 0 }) => line));
  const shown = all ? lines : lines.slice(0, Math.max(LINES_SHOWN, last));
  const at = Map.groupBy(faults, ({ line }) => line);
  return (
    <SourceBox>
      <div className="absolute top-1 right-3 rounded-md bg-sunken">
        <CopyButton text={source} label={SOURCE_VIEW.copy} />
      </div>
      <SourceLines label={name}>
        {shown.map((tokens, index) => {
          const found = at.get(index + 1) ?? [];
          return (
            // Lines never change their order.
            <Fragment key={index}>
              <SourceLine
                sign={index + 1}
                tone={found.length > 0 ? "bad" : undefined}
                data-fault={found.length > 0}
              >
                <Tokens tokens={tokens} />
              </SourceLine>
              {found.map((fault) => (
                <FaultLine key={`${fault.attempt} ${fault.message}`} fault={fault} atLine />
              ))}
            </Fragment>
          );
        })}
      </SourceLines>
      {lines.length > shown.length && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {SOURCE_VIEW.showAllLines(lines.length)}
        </Button>
      )}
    </SourceBox>
  );
}

const TOKEN_COLOURS: Readonly<Record<Token["kind"], string>> = {
  comment: "text-faint italic",
  string: "text-ok",
  number: "text-(--service-4)",
  keyword: "text-(--service-3)",
  text: "",
};

function Tokens({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map(({ kind, text }, index) =>
    kind === "text" ? (
      text
    ) : (
      <span key={index} className={TOKEN_COLOURS[kind]}>
        {text}
      </span>
    ),
  );
}
