import type { StepView } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";
import { Folded } from "../values/folded.tsx";
import { JsonView } from "../values/json-view.tsx";
import { OutputView } from "./output-view.tsx";

type Turn = NonNullable<StepView["turns"]>[number];

/** What an agent thought, did and saw, turn by turn; the last turn is open. */
export function StepTurns({ planId, turns }: { planId: string; turns: readonly Turn[] }) {
  return (
    <ol className="turns">
      {turns.map((turn, index) => (
        <li key={turn.turn}>
          <details open={index === turns.length - 1}>
            <summary>
              <span className="turn-number">{turn.turn}</span>
              {turn.error !== undefined && (
                <span className="tone-bad turn-fault">
                  <Icon name="failed" size={13} />
                  <span className="visually-hidden">failed: </span>
                </span>
              )}
              {turn.tool === undefined ? <span>no call</span> : <code>{turn.tool}</code>}
              <span className="turn-thought">{turn.thought}</span>
            </summary>
            <TurnDetails planId={planId} turn={turn} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function TurnDetails({ planId, turn }: { planId: string; turn: Turn }) {
  const { thought, tool, args, proposed, output, error } = turn;
  return (
    <div className="turn-details">
      {thought !== "" && (
        <>
          <h4>Thought</h4>
          <Folded chars={thought.length}>
            <p className="value-words">{thought}</p>
          </Folded>
        </>
      )}
      {tool !== undefined && (
        <>
          <h4>
            Call of <code>{tool}</code>
          </h4>
          <JsonView value={args ?? {}} />
          {proposed !== undefined && (
            <details>
              <summary>a person has changed what it wanted</summary>
              <JsonView value={proposed} />
            </details>
          )}
        </>
      )}
      {output !== undefined && (
        <>
          <h4>Observation</h4>
          <OutputView planId={planId} output={output} />
        </>
      )}
      {error !== undefined && (
        <p className="attempt-error">
          {error.message} <code>{error.code}</code>
          {turn.uncertain === true && " It may have acted all the same."}
        </p>
      )}
    </div>
  );
}
