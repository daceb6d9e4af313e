import type { ReactNode } from "react";
import type { StepView } from "../api/api-types.ts";
import { CopyLink } from "../ui/copy-link.tsx";
import { Icon } from "../ui/icons.tsx";
import { Folded } from "../values/folded.tsx";
import { JsonView } from "../values/json-view.tsx";
import { OutputView } from "./output-view.tsx";
import { searchTo } from "./step-place.ts";
import { useScrolledTo } from "./use-step-place.ts";

type Turn = NonNullable<StepView["turns"]>[number];

type Props = {
  readonly planId: string;
  /** Whose turns they are: those of a step, or of one of its items. */
  readonly owner: { readonly step: string; readonly item?: number };
  readonly turns: readonly Turn[];
  /** The turn that the address leads to. */
  readonly wanted: number | undefined;
};

/** What an agent thought, did and saw, turn by turn; the last turn is open, and the one that the address leads to. */
export function StepTurns({ planId, owner, turns, wanted }: Props) {
  return (
    <ol className="turns">
      {turns.map((turn, index) => (
        <TurnRow
          key={turn.turn}
          turn={turn}
          isLast={index === turns.length - 1}
          isPlace={turn.turn === wanted}
          about={{ planId, owner }}
        />
      ))}
    </ol>
  );
}

type RowProps = {
  readonly turn: Turn;
  readonly isLast: boolean;
  readonly isPlace: boolean;
  readonly about: Pick<Props, "planId" | "owner">;
};

function TurnRow({ turn, isLast, isPlace, about: { planId, owner } }: RowProps) {
  const row = useScrolledTo<HTMLLIElement>(isPlace);
  return (
    <li ref={row} data-testid="turn">
      <details open={isLast || isPlace}>
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
        <TurnDetails planId={planId} turn={turn}>
          <CopyLink
            search={searchTo(location.search, { ...owner, turn: turn.turn })}
            to={owner.item === undefined ? `turn ${turn.turn}` : `turn ${turn.turn} of item ${owner.item}`}
          />
        </TurnDetails>
      </details>
    </li>
  );
}

function TurnDetails({ planId, turn, children }: { planId: string; turn: Turn; children: ReactNode }) {
  const { thought, tool, args, proposed, output, error } = turn;
  return (
    <div className="turn-details">
      {children}
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
