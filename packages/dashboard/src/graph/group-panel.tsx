import { useState } from "react";
import { formatCount, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { GroupNodeModel } from "./group-steps.ts";

type Props = {
  readonly group: GroupNodeModel;
  readonly onSelectStep: (id: string) => void;
  readonly onClose: () => void;
};

const ROWS_STEP = 50;

/** The steps inside of a group. */
export function GroupPanel({ group, onSelectStep, onClose }: Props) {
  const [shown, setShown] = useState(ROWS_STEP);
  return (
    <section className="group-panel" aria-label="Steps of the group">
      <header>
        <h3>
          {formatCount(group.steps.length, "step")} with <code>{group.tool}</code>
        </h3>
        <button type="button" className="icon-button" aria-label="Close the group" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <ul>
        {group.steps.slice(0, shown).map((step) => (
          <li key={step.id}>
            <button type="button" onClick={() => onSelectStep(step.id)}>
              <StatusBadge status={step.status} plain />
              <code>{step.id}</code>
              <span className="group-step">{step.description}</span>
              <span>{step.durationMs === undefined ? "" : formatDuration(step.durationMs)}</span>
            </button>
          </li>
        ))}
      </ul>
      {group.steps.length > shown && (
        <button type="button" className="button button-quiet" onClick={() => setShown(shown + ROWS_STEP)}>
          Show more
        </button>
      )}
    </section>
  );
}
