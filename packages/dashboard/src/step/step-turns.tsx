import type { StepView } from "../api/api-types.ts";
import { CopyLink } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icons.tsx";
import { Folded } from "../values/folded.tsx";
import { JsonView } from "../values/json-view.tsx";
import { OutputView } from "./step-result.tsx";
import { searchTo, useScrolledTo } from "./step-place.ts";
import { STEP_TURNS } from "./step-words.ts";
import valuesStyles from "../values/values.module.css";
import styles from "./step.module.css";

type Turn = NonNullable<StepView["turns"]>[number];

type Props = {
  readonly planId: string;
  /** Whose turns they are: those of a step, or of one of its items. */
  readonly owner: { readonly step: string; readonly item?: number };
  readonly turns: readonly Turn[];
  /** The turn that the address leads to. */
  readonly wanted: number | undefined;
};

/**
 * What an agent thought, did and saw, turn by turn, each with its calls; the last turn is open, and the one that the
 * address leads to.
 */
export function StepTurns({ planId, owner, turns, wanted }: Props) {
  const byTurn = [...Map.groupBy(turns, ({ turn }) => turn)];
  return (
    <ol className={styles.turns}>
      {byTurn.map(([turn, calls], index) => (
        <TurnRow
          key={turn}
          turn={turn}
          calls={calls}
          isLast={index === byTurn.length - 1}
          isPlace={turn === wanted}
          about={{ planId, owner }}
        />
      ))}
    </ol>
  );
}

type RowProps = {
  readonly turn: number;
  readonly calls: readonly Turn[];
  readonly isLast: boolean;
  readonly isPlace: boolean;
  readonly about: Pick<Props, "planId" | "owner">;
};

function TurnRow({ turn, calls, isLast, isPlace, about: { planId, owner } }: RowProps) {
  const row = useScrolledTo<HTMLLIElement>(isPlace);
  const thought = calls[0]?.thought ?? "";
  return (
    <li ref={row} data-testid="turn">
      <details open={isLast || isPlace}>
        <summary>
          <span className={styles.turnNumber} data-part="turn-number">
            {turn}
          </span>
          {calls.some(({ error }) => error !== undefined) && <Fault />}
          <Called calls={calls} />
          <span className={styles.turnThought}>{thought}</span>
        </summary>
        <div className={styles.turnDetails}>
          <CopyLink
            search={searchTo(location.search, { ...owner, turn })}
            to={owner.item === undefined ? `turn ${turn}` : STEP_TURNS.turnOfItem(turn, owner.item)}
          />
          {thought !== "" && (
            <>
              <h4>{STEP_TURNS.thought}</h4>
              <Folded chars={thought.length}>
                <p className={valuesStyles.valueWords}>{thought}</p>
              </Folded>
            </>
          )}
          {calls.length === 1 ? (
            calls.map((call) => <CallDetails key={turn} planId={planId} call={call} />)
          ) : (
            <ol className={styles.turnCalls} aria-label={STEP_TURNS.callsOfTurn(turn)}>
              {calls.map((call) => (
                <li key={call.call} data-testid="turn-call">
                  <CallDetails planId={planId} call={call} />
                </li>
              ))}
            </ol>
          )}
        </div>
      </details>
    </li>
  );
}

function Called({ calls }: { calls: readonly Turn[] }) {
  const [only] = calls;
  if (calls.length > 1) return <span>{STEP_TURNS.calls(calls.length)}</span>;
  return only?.tool === undefined ? <span>{STEP_TURNS.noCall}</span> : <code>{only.tool}</code>;
}

function Fault() {
  return (
    <span className={`tone-bad ${styles.turnFault}`}>
      <Icon name="failed" size={13} />
      <span className="visually-hidden">{STEP_TURNS.failed} </span>
    </span>
  );
}

function CallDetails({ planId, call }: { planId: string; call: Turn }) {
  const { tool, args, proposed, output, error, open } = call;
  return (
    <>
      {tool !== undefined && (
        <>
          <h4>
            {STEP_TURNS.callOf} <code>{tool}</code>
            {open === true && <span className={styles.sectionNote}> {STEP_TURNS.noOutcomeYet}</span>}
          </h4>
          <JsonView value={args ?? {}} />
          {proposed !== undefined && (
            <details>
              <summary>{STEP_TURNS.edited}</summary>
              <JsonView value={proposed} />
            </details>
          )}
        </>
      )}
      {output !== undefined && (
        <>
          <h4>{STEP_TURNS.observation}</h4>
          <OutputView planId={planId} output={output} />
        </>
      )}
      {error !== undefined && (
        <p className={styles.attemptError} data-part="attempt-error">
          {error.message} <code>{error.code}</code>
          {call.uncertain === true && STEP_TURNS.mayHaveTakenEffect}
        </p>
      )}
    </>
  );
}
