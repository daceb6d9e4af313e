import { useEffect, useRef, useState } from "react";
import type { StepView } from "../api/api-types.ts";
import { StepTime } from "../plan/step-time.tsx";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { StepStatusBadge } from "../ui/status-badge.tsx";
import { commonText } from "./common-text.ts";
import type { GroupNodeModel } from "./group-steps.ts";
import { GROUP_PANEL } from "./graph-words.ts";
import styles from "./group-panel.module.css";

type Props = {
  readonly group: GroupNodeModel;
  /** What is searched for: the others of the group are left out; absent when nothing is. */
  readonly found: readonly StepView[] | undefined;
  /** The match that the search is at. */
  readonly at: string | undefined;
  readonly onSelectStep: (id: string) => void;
  readonly onClose: () => void;
};

const ROWS_STEP = 50;

/** The steps inside of a group. */
export function GroupPanel({ group, found, at, onSelectStep, onClose }: Props) {
  const [asked, setAsked] = useState(ROWS_STEP);
  const ids = found && new Set(found.map(({ id }) => id));
  const steps = ids === undefined ? group.steps : group.steps.filter(({ id }) => ids.has(id));
  const shown = Math.max(asked, steps.findIndex(({ id }) => id === at) + 1);
  const common = commonText(group.steps.map(({ description }) => description));
  return (
    <section className={styles.groupPanel} aria-label={GROUP_PANEL.stepsInThisGroup}>
      <header>
        <h3>
          {found !== undefined && GROUP_PANEL.foundOf(steps.length.toLocaleString("en"))}
          {formatCount(group.steps.length, "step")}
          {common !== undefined && `: ${common}`} <code>{group.tool}</code>
        </h3>
        <button type="button" className="icon-button" aria-label={GROUP_PANEL.closeGroup} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <ul>
        {steps.slice(0, shown).map((step) => (
          <Row key={step.id} step={step} isAt={step.id === at} onSelectStep={onSelectStep} />
        ))}
      </ul>
      {steps.length > shown && (
        <button type="button" className="button button-quiet" onClick={() => setAsked(shown + ROWS_STEP)}>
          {GROUP_PANEL.showMore}
        </button>
      )}
    </section>
  );
}

type RowProps = Pick<Props, "onSelectStep"> & { readonly step: StepView; readonly isAt: boolean };

function Row({ step, isAt, onSelectStep }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isAt) row.current?.scrollIntoView({ block: "nearest" });
  }, [isAt]);
  return (
    <li ref={row} data-at={isAt}>
      <button type="button" onClick={() => onSelectStep(step.id)}>
        <StepStatusBadge step={step} plain />
        <code>{step.id}</code>
        <span className={styles.groupStep}>{step.description}</span>
        <span>
          <StepTime step={step} />
        </span>
      </button>
    </li>
  );
}
