import clsx from "clsx";
import { type Node, type NodeProps, Handle, Position, useStore } from "@xyflow/react";
import {
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  createContext,
  useSyncExternalStore,
} from "react";
import type { StepView, StepStatus } from "../api/api-types.ts";
import { Elapsed } from "../clock/ticking.tsx";
import { isSettled } from "../plan/is-settled.ts";
import { StepTime } from "../step/step-time.tsx";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { lookOf, lookOfStep } from "../ui/status-badge.tsx";
import { commonText } from "./common-text.ts";
import { GROUP_NODE, STEP_NODE, NODE_FRAME } from "./graph-words.ts";
import { beginOf, groupStatus } from "./group-status.ts";
import type { NodeModel } from "./group-steps.ts";
import type { Direction } from "./layout-types.ts";
import { lookOfNode } from "./node-look.ts";
import { FAR_ZOOM } from "./view-port.ts";
import { createStore, type Store } from "../ui/create-store.ts";
import type { Ties } from "./next-node.ts";

export type GraphNodeData = {
  readonly model: NodeModel;
  readonly critical: boolean;
  readonly selected: boolean;
  readonly direction: Direction;
  readonly onSelect: (id: string) => void;
  /** Describes the dependencies that a step is waiting for; called only on request. */
  readonly whyOf: (step: StepView) => string | undefined;
};

export type GraphNode = Node<GraphNodeData>;

const HEAD =
  "flex items-center gap-1.5 text-xs leading-tight font-semibold text-tone in-data-[found=false]:text-faint";
const ATTEMPTS = "rounded-full bg-warn-soft px-1.5 font-medium text-warn in-data-[found=false]:text-faint";
const TITLE = "text-sm leading-tight";
const FOOT = "mt-auto truncate font-mono text-2xs leading-tight text-faint";
const DIAMOND = "mr-1 align-[-1px] text-critical in-data-[found=false]:text-faint";

/** Keyed by the node type that the library uses. Its built-in type `group` means something else. */
export const NODE_TYPES = { step: memo(StepNode), steps: memo(GroupNode) };
export type NodeType = keyof typeof NODE_TYPES;

/** Many similar steps in one node: how many there are, how many are done, and how long they have been running. */
function GroupNode({ data }: NodeProps<GraphNode>) {
  const { model, critical } = data;
  if (model.kind !== "group") return null;
  const { steps, tool } = model;
  const done = steps.filter(isSettled).length;
  const isOver = done === steps.length;
  const failed = steps.filter((step) => step.status === "failed").length;
  const status = groupStatus(steps);
  const look = lookOf(status);
  const since = status === "running" ? beginOf(steps) : undefined;
  return (
    <NodeFrame data={data} tone={look.tone} status={status}>
      <span className={HEAD}>
        <Icon name={look.icon} size={14} spin={look.spin === true} />
        <span>{look.label}</span>
        {failed > 0 && <span className={ATTEMPTS}>{GROUP_NODE.failed(failed)}</span>}
        <span className="ml-auto font-normal text-faint tabular-nums" data-part="node-time">
          {since !== undefined && (
            <>
              <Elapsed since={since} /> ·{" "}
            </>
          )}
          {done}/{steps.length}
        </span>
      </span>
      <span className={clsx(TITLE, isOver ? "line-clamp-2" : "line-clamp-1")}>
        {commonText(steps.map(({ description }) => description)) ?? formatCount(steps.length, "step")}
      </span>
      {!isOver && (
        <span
          className="h-1.25 flex-none overflow-hidden rounded-full bg-line forced-color-adjust-none"
          aria-hidden="true"
        >
          <span
            className="block h-full bg-tone [transition:var(--motion,width_0.3s)]"
            style={{ width: `${(100 * done) / steps.length}%` }}
          />
        </span>
      )}
      <span className={FOOT}>
        {critical && <Icon className={DIAMOND} name="critical" size={9} />}
        <Icon className="mr-1 align-[-1px]" name="group" size={12} /> {formatCount(steps.length, "step")} ·{" "}
        {tool}
      </span>
    </NodeFrame>
  );
}

function itemsOf(items: NonNullable<StepView["items"]>): string {
  const open = items.filter((item) => !isSettled(item)).length;
  return open === 0
    ? formatCount(items.length, "item")
    : `${items.length - open}/${formatCount(items.length, "item")}`;
}

function StepNode({ data }: NodeProps<GraphNode>) {
  const { model, critical } = data;
  if (model.kind !== "step") return null;
  const { step } = model;
  const look = lookOfStep(step);
  const retrying = step.status === "waiting" && step.waitingFor === "retry";
  const title = step.description === "" ? step.id : step.description;
  return (
    <NodeFrame data={data} tone={look.tone} status={step.status}>
      <span className={HEAD}>
        <Icon name={look.icon} size={14} spin={look.spin === true} />
        <span>{retrying ? STEP_NODE.waitingToRetry : look.label}</span>
        {step.failedAttempts.length > 0 && (
          <span className={ATTEMPTS}>{STEP_NODE.attempt(step.attempt)}</span>
        )}
        <span className="ml-auto font-normal text-faint tabular-nums" data-part="node-time">
          <StepTime step={step} />
        </span>
      </span>
      <span className={clsx(TITLE, "line-clamp-2")}>{title}</span>
      <span className={FOOT}>
        {critical && <Icon className={DIAMOND} name="critical" size={9} />}
        {step.id} · {step.tool}
        {step.items !== undefined && ` · ${itemsOf(step.items)}`}
      </span>
    </NodeFrame>
  );
}

type Props = {
  readonly data: GraphNodeData;
  readonly tone: string;
  readonly status: StepStatus;
  readonly children: ReactNode;
};

/** The base of every node in the graph: a button that opens the details, with handles for edges on two sides. */
function NodeFrame({ data, tone, status, children }: Props) {
  const { model, critical, selected, direction, onSelect, whyOf } = data;
  const { id } = model;
  const isActive = useMark(({ active }) => active === id);
  const isAt = useMark(({ at }) => at === id);
  const found = useMark((marks) => marks.found?.get(id));
  const explain = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    currentTarget.title = (model.kind === "step" ? whyOf(model.step) : undefined) ?? "";
  };
  const isFar = useStore((state) => state.transform[2] < FAR_ZOOM);
  const ties = useTies(id);
  const across = direction === "LR";
  return (
    <>
      <Handle type="target" position={across ? Position.Left : Position.Top} isConnectable={false} />
      <button
        ref={useFocusWhenDrawn(id)}
        type="button"
        className={clsx(lookOfNode({ status, critical, selected, isFar, found, isAt }), `tone-${tone}`)}
        data-status={status}
        data-critical={critical}
        data-node={id}
        data-found={found === undefined ? undefined : found > 0}
        data-at={isAt}
        data-far={isFar}
        aria-label={isFar ? nameFromFar({ data, status, ties, found }) : undefined}
        aria-pressed={selected}
        tabIndex={isActive ? 0 : -1}
        onClick={() => onSelect(id)}
        onPointerEnter={explain}
        onFocus={explain}
      >
        {isFar && <Icon name={lookOf(status).icon} size={56} />}
        {!isFar && children}
        {!isFar && (
          <span className="visually-hidden">
            {critical && NODE_FRAME.onTheCriticalPath}
            {ties}
          </span>
        )}
        {!isFar && found !== undefined && found > 0 && (
          <FoundMark isGroup={model.kind === "group"} found={found} />
        )}
      </button>
      <Handle type="source" position={across ? Position.Right : Position.Bottom} isConnectable={false} />
    </>
  );
}

/** When zoomed out too far for text, only the status is visible; screen readers get the same text as close up. */
function nameFromFar(node: {
  readonly data: GraphNodeData;
  readonly status: StepStatus;
  readonly ties: string;
  readonly found: number | undefined;
}): string {
  const { model, critical } = node.data;
  const said =
    model.kind === "step"
      ? [model.step.description, `${model.step.id} ${model.step.tool}`]
      : [formatCount(model.steps.length, "step")];
  return [
    lookOf(node.status).label,
    ...said.filter(Boolean),
    ...(critical ? [NODE_FRAME.criticalPathRead] : []),
    node.ties,
    ...(node.found !== undefined && node.found > 0 ? ["found"] : []),
  ].join(", ");
}

/** The edges as text, for screen readers. */
function useTies(id: string): string {
  const needs = useMark(({ ties }) => ties.get(id)?.needs) ?? 0;
  const neededBy = useMark(({ ties }) => ties.get(id)?.neededBy) ?? 0;
  return `${formatCount(needs, "dependency", "dependencies")}, ${formatCount(neededBy, "dependent")}`;
}

function FoundMark({ isGroup, found }: { isGroup: boolean; found: number }) {
  return (
    <span className="absolute -top-2.25 right-2.5 flex items-center gap-1 rounded-full bg-accent px-1.75 py-0.5 text-2xs leading-tight font-semibold text-on-accent">
      <Icon name="search" size={11} />
      {isGroup ? (
        NODE_FRAME.found(found.toLocaleString("en"))
      ) : (
        <span className="visually-hidden">{NODE_FRAME.foundOne}</span>
      )}
    </span>
  );
}

/** A node out of view may be drawn only after the keyboard has moved to it. */
function useFocusWhenDrawn(id: string) {
  const button = useRef<HTMLButtonElement>(null);
  const marks = useContext(GraphMarks);
  useEffect(() => {
    if (marks.get().awaited === id) button.current?.focus({ preventScroll: true });
  }, [id, marks]);
  return button;
}

/** Marks that the graph puts on nodes; each node is notified only of the marks on it. */
export type Marks = {
  /** Number of steps in each node that match the search; absent without a search. */
  readonly found: ReadonlyMap<string, number> | undefined;
  /** The node of the current match. */
  readonly at: string | undefined;
  /** The one node in the tab order. */
  readonly active: string | undefined;
  /** A node that receives the focus as soon as it is drawn. */
  readonly awaited: string | undefined;
  readonly ties: ReadonlyMap<string, Ties>;
};

export const NO_MARKS: Marks = {
  found: undefined,
  at: undefined,
  active: undefined,
  awaited: undefined,
  ties: new Map(),
};

export const GraphMarks = createContext<Store<Marks>>(createStore(NO_MARKS));

/** A node's own marks; the node renders again when they change. */
export function useMark<Value extends number | boolean | undefined>(select: (marks: Marks) => Value): Value {
  const marks = useContext(GraphMarks);
  return useSyncExternalStore(marks.subscribe, () => select(marks.get()));
}
