import { sumsOf } from "@planwright/plan/timeline";
import { whyWaiting } from "@planwright/plan/why-waiting";
import clsx from "clsx";
import type { MouseEvent } from "react";
import type { PlanView } from "../api/api-types.ts";
import { StepTime } from "../step/step-time.tsx";
import { Link } from "../router/link.tsx";
import { formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { lookOf } from "../ui/status-badge.tsx";
import { BarView } from "./bar-view.tsx";
import { inWords, TIMELINE_ROW } from "./timeline-words.ts";
import { ROW_PX, type TimelineRow } from "./timeline-rows.ts";

/** Stays beside the times while they scroll. */
export const NAME_CELL = "sticky left-0 z-2 w-(--name) flex-none bg-inherit pr-2.5 max-md:pr-1.5";

const LINK = "inline-flex flex-none border-0 bg-transparent p-0.5 text-soft";

type Props = {
  readonly row: TimelineRow;
  readonly view: PlanView;
  readonly index: number;
  readonly roomMs: number;
  readonly nowMs: number;
  readonly isSelected: boolean;
  /** Whether Tab leads to it. */
  readonly isActive: boolean;
  readonly onSelect: (id: string) => void;
  readonly onToggle: (stepId: string) => void;
  readonly onActive: (key: string) => void;
  readonly onTip: (tip: { key: string; x: number; y: number } | undefined) => void;
};

export function TimelineRowView(props: Props) {
  const { row, view, index, roomMs, nowMs, isSelected, isActive, onSelect, onActive, onTip } = props;
  const { key, stepId, bar, isCritical } = row;
  const point = (event: MouseEvent) => onTip({ key, x: event.clientX, y: event.clientY });
  return (
    <div
      className="absolute inset-x-0 flex cursor-pointer items-stretch bg-surface -outline-offset-2 hover:bg-sunken focus-visible:z-1 aria-selected:bg-accent-soft"
      data-part="timeline-row"
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      aria-label={labelOf(row, view, nowMs)}
      tabIndex={isActive ? 0 : -1}
      data-row={key}
      data-step={stepId}
      style={{ top: index * ROW_PX, height: ROW_PX }}
      onClick={() => {
        onActive(key);
        onSelect(stepId);
      }}
      onFocus={() => onActive(key)}
      onMouseMove={point}
    >
      <RowName {...props} />
      <div
        className="relative mr-3.5 min-w-0 flex-1"
        role="gridcell"
        aria-label={inWords(sumsOf(bar, nowMs))}
      >
        <BarView
          bar={bar}
          roomMs={roomMs}
          nowMs={bar.endMs === undefined ? nowMs : bar.endMs}
          isCritical={isCritical}
        />
      </div>
    </div>
  );
}

function RowName({ row, onToggle }: Props) {
  const { stepId, name, description, status, depth, isCritical, items, bar, step } = row;
  const look = lookOf(status);
  return (
    <div
      className={clsx(
        NAME_CELL,
        "flex items-center gap-1.25 overflow-hidden text-sm whitespace-nowrap",
        depth === 0 ? "pl-4 max-md:pl-2" : "pl-8.5",
      )}
      role="rowheader"
    >
      {items !== undefined && (
        <button
          type="button"
          className={LINK}
          tabIndex={-1}
          aria-expanded={items.isOpen}
          aria-label={TIMELINE_ROW.itemsOf(items.count, stepId)}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(stepId);
          }}
        >
          <Icon className={items.isOpen ? "rotate-90" : ""} name="chevron" size={11} />
        </button>
      )}
      <span className={`inline-flex flex-none text-tone tone-${look.tone}`}>
        <Icon name={look.icon} size={13} />
        <span className="visually-hidden">{look.label}: </span>
      </span>
      {isCritical && <Icon className="flex-none text-critical" name="critical" size={9} />}
      <code>{name}</code>
      <span className="min-w-0 truncate text-soft max-md:hidden">{description}</span>
      {depth === 0 && step !== undefined && status === "running" && (
        <span className="ml-auto flex-none text-faint tabular-nums" data-part="timeline-time">
          <StepTime step={step} />
        </span>
      )}
      {bar.child !== undefined && (
        <Link
          className={LINK}
          href={`/plans/${bar.child}?tab=timeline`}
          tabIndex={-1}
          aria-label={TIMELINE_ROW.subPlanOf(name)}
          onClickCapture={(event) => event.stopPropagation()}
        >
          <Icon name="group" size={12} />
        </Link>
      )}
    </div>
  );
}

/** Everything that the row shows, as text. */
function labelOf(
  { name, description, status, bar, isCritical, step, slackMs }: TimelineRow,
  view: PlanView,
  nowMs: number,
) {
  const why =
    step === undefined || bar.endMs !== undefined
      ? undefined
      : whyWaiting(view, step, Date.parse(view.submittedAt) + nowMs);
  const slack = slackMs === undefined || slackMs < 1 ? undefined : `slack ${formatDuration(slackMs)}`;
  const parts = [
    `${name} ${description}`.trim(),
    lookOf(status).label.toLowerCase(),
    isCritical ? TIMELINE_ROW.onTheCriticalPath : undefined,
    inWords(sumsOf(bar, nowMs)),
    slack,
    why,
  ];
  return parts.filter((part) => part !== undefined).join("; ");
}
