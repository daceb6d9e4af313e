import type { Node, NodeProps } from "@xyflow/react";
import { memo } from "react";
import type { StepView } from "../api/api-types.ts";
import { Elapsed } from "../clock/ticking.tsx";
import { isSettled } from "../plan/is-settled.ts";
import { StepTime } from "../step/step-time.tsx";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { lookOf, lookOfStep } from "../ui/status-badge.tsx";
import { commonText } from "./common-text.ts";
import { GROUP_NODE, STEP_NODE } from "./graph-words.ts";
import { beginOf, groupStatus } from "./group-status.ts";
import type { NodeModel } from "./group-steps.ts";
import type { Direction } from "./layout-types.ts";
import { NodeFrame } from "./node-frame.tsx";
import styles from "./node.module.css";

export type GraphNodeData = {
  readonly model: NodeModel;
  readonly critical: boolean;
  readonly selected: boolean;
  readonly direction: Direction;
  readonly onSelect: (id: string) => void;
  /** Describes what a step waits for; called only when the reader asks for it. */
  readonly whyOf: (step: StepView) => string | undefined;
};

export type GraphNode = Node<GraphNodeData>;

/** Keyed by the node type that the library uses. Its built-in type `group` means something else. */
export const NODE_TYPES = { step: memo(StepNode), steps: memo(GroupNode) };
export type NodeType = keyof typeof NODE_TYPES;

/** Many alike steps in one node: how many there are, how many are done, and how long they have been running. */
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
      <span className={styles.nodeHead}>
        <Icon name={look.icon} size={14} spin={look.spin === true} />
        <span>{look.label}</span>
        {failed > 0 && <span className={styles.nodeAttempts}>{GROUP_NODE.failed(failed)}</span>}
        <span className={styles.nodeTime} data-part="node-time">
          {since !== undefined && (
            <>
              <Elapsed since={since} /> ·{" "}
            </>
          )}
          {done}/{steps.length}
        </span>
      </span>
      <span className={isOver ? styles.nodeTitle : `${styles.nodeTitle} ${styles.nodeTitleOne}`}>
        {commonText(steps.map(({ description }) => description)) ?? formatCount(steps.length, "step")}
      </span>
      {!isOver && (
        <span className={styles.nodeBar} aria-hidden="true">
          <span style={{ width: `${(100 * done) / steps.length}%` }} />
        </span>
      )}
      <span className={styles.nodeFoot}>
        {critical && <Icon name="critical" size={9} />}
        <Icon name="group" size={12} /> {formatCount(steps.length, "step")} · {tool}
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
      <span className={styles.nodeHead}>
        <Icon name={look.icon} size={14} spin={look.spin === true} />
        <span>{retrying ? STEP_NODE.waitingToRetry : look.label}</span>
        {step.failedAttempts.length > 0 && (
          <span className={styles.nodeAttempts}>{STEP_NODE.attempt(step.attempt)}</span>
        )}
        <span className={styles.nodeTime} data-part="node-time">
          <StepTime step={step} />
        </span>
      </span>
      <span className={styles.nodeTitle}>{title}</span>
      <span className={styles.nodeFoot}>
        {critical && <Icon name="critical" size={9} />}
        {step.id} · {step.tool}
        {step.items !== undefined && ` · ${itemsOf(step.items)}`}
      </span>
    </NodeFrame>
  );
}
