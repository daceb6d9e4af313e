import type { StepView } from "../api/api-types.ts";
import { Folded } from "../values/folded.tsx";
import { JsonView } from "../values/json-view.tsx";
import { OutputView } from "./step-result.tsx";
import { ErrorLine, More, Row, RowCode, RowFault, Rows, RowTitle } from "./step-parts.tsx";
import { searchTo, useScrolledTo } from "./step-place.ts";
import { STEP_TURNS } from "./step-words.ts";

type Turn = NonNullable<StepView["turns"]>[number];

type Props = {
  readonly planId: string;
  /** The owner of the turns: a step, or one of its items. */
  readonly owner: { readonly step: string; readonly item?: number };
  readonly turns: readonly Turn[];
  /** The turn in the address. */
  readonly wanted: number | undefined;
};

/**
 * An agent's thoughts, actions and observations, turn by turn, each with its calls; the last turn is expanded, and so is the
 * one in the address.
 */
export function StepTurns({ planId, owner, turns, wanted }: Props) {
  const byTurn = [...Map.groupBy(turns, ({ turn }) => turn)];
  return (
    <Rows>
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
    </Rows>
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
    <Row
      ref={row}
      data-testid="turn"
      number={turn}
      head={
        <>
          {calls.some(({ error }) => error !== undefined) && <RowFault />}
          <Called calls={calls} />
        </>
      }
      words={thought}
      link={{
        search: searchTo(location.search, { ...owner, turn }),
        to: owner.item === undefined ? `turn ${turn}` : STEP_TURNS.turnOfItem(turn, owner.item),
      }}
      details={{ open: isLast || isPlace }}
    >
      {thought !== "" && (
        <>
          <RowTitle>{STEP_TURNS.thought}</RowTitle>
          <Folded chars={thought.length}>
            <p className="whitespace-pre-wrap">{thought}</p>
          </Folded>
        </>
      )}
      {calls.length === 1 ? (
        calls.map((call) => <CallDetails key={turn} planId={planId} call={call} />)
      ) : (
        <ol className="grid grid-cols-1 gap-2.5" aria-label={STEP_TURNS.callsOfTurn(turn)}>
          {calls.map((call) => (
            <li
              key={call.call}
              className="grid grid-cols-1 gap-1.5 border-l-2 border-line pl-2.5"
              data-testid="turn-call"
            >
              <CallDetails planId={planId} call={call} />
            </li>
          ))}
        </ol>
      )}
    </Row>
  );
}

function Called({ calls }: { calls: readonly Turn[] }) {
  const [only] = calls;
  if (calls.length > 1) return <span>{STEP_TURNS.calls(calls.length)}</span>;
  return only?.tool === undefined ? <span>{STEP_TURNS.noCall}</span> : <RowCode>{only.tool}</RowCode>;
}

function CallDetails({ planId, call }: { planId: string; call: Turn }) {
  const { tool, args, proposed, output, error, open } = call;
  return (
    <>
      {tool !== undefined && (
        <>
          <RowTitle>
            {STEP_TURNS.callOf} <code>{tool}</code>
            {open === true && <span className="font-normal"> {STEP_TURNS.noOutcomeYet}</span>}
          </RowTitle>
          <JsonView value={args ?? {}} />
          {proposed !== undefined && (
            <More summary={STEP_TURNS.edited}>
              <JsonView value={proposed} />
            </More>
          )}
        </>
      )}
      {output !== undefined && (
        <>
          <RowTitle>{STEP_TURNS.observation}</RowTitle>
          <OutputView planId={planId} output={output} />
        </>
      )}
      {error !== undefined && (
        <ErrorLine error={error}>{call.uncertain === true && STEP_TURNS.mayHaveTakenEffect}</ErrorLine>
      )}
    </>
  );
}
