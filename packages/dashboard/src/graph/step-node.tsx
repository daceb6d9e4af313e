import type { NodeProps } from "@xyflow/react";
import type { StepView } from "../api/api-types.ts";
import { isSettled } from "../plan/is-settled.ts";
import { StepTime } from "../plan/step-time.tsx";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { lookOfStep } from "../ui/status-badge.tsx";
import type { GraphNode } from "./graph-nodes.tsx";
import { NodeFrame } from "./node-frame.tsx";
import { STEP_NODE } from "./graph-words.ts";
import styles from "./node.module.css";

function itemsOf(items: NonNullable<StepView["items"]>): string {
  const open = items.filter((item) => !isSettled(item)).length;
  return open === 0
    ? formatCount(items.length, "item")
    : `${items.length - open}/${formatCount(items.length, "item")}`;
}

export function StepNode({ data }: NodeProps<GraphNode>) {
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
