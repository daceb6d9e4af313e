import { Handle, Position, useStore } from "@xyflow/react";
import { type ReactNode, useContext, useEffect, useRef } from "react";
import type { StepStatus } from "../api/api-types.ts";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { lookOf } from "../ui/status-badge.tsx";
import type { GraphNodeData } from "./graph-nodes.tsx";
import { GraphMarks, useMark } from "./graph-marks.ts";
import { FAR_ZOOM } from "./view-port.ts";
import { NODE_FRAME } from "./graph-words.ts";
import styles from "./node.module.css";

type Props = {
  readonly data: GraphNodeData;
  readonly tone: string;
  readonly status: StepStatus;
  readonly children: ReactNode;
};

/** What every node of the graph is: a button that opens its details, with a place for edges on two sides. */
export function NodeFrame({ data, tone, status, children }: Props) {
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
        className={`${styles.node} tone-${tone}`}
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

/** Where no word can be read, its status can be seen; it is read out as it is from near. */
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

/** What the edges say to those who see them. */
function useTies(id: string): string {
  const needs = useMark(({ ties }) => ties.get(id)?.needs) ?? 0;
  const neededBy = useMark(({ ties }) => ties.get(id)?.neededBy) ?? 0;
  return `${formatCount(needs, "dependency", "dependencies")}, ${formatCount(neededBy, "dependent")}`;
}

function FoundMark({ isGroup, found }: { isGroup: boolean; found: number }) {
  return (
    <span className={styles.nodeFound}>
      <Icon name="search" size={11} />
      {isGroup ? (
        NODE_FRAME.found(found.toLocaleString("en"))
      ) : (
        <span className="visually-hidden">{NODE_FRAME.foundOne}</span>
      )}
    </span>
  );
}

/** A node out of sight may be drawn only after the keyboard has moved to it. */
function useFocusWhenDrawn(id: string) {
  const button = useRef<HTMLButtonElement>(null);
  const marks = useContext(GraphMarks);
  useEffect(() => {
    if (marks.get().awaited === id) button.current?.focus({ preventScroll: true });
  }, [id, marks]);
  return button;
}
