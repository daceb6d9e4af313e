import type { NodeProps } from "@xyflow/react";
import { Elapsed } from "../clock/ticking.tsx";
import { commonText } from "./common-text.ts";
import { isSettled } from "../plan/is-settled.ts";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { lookOf } from "../ui/status-badge.tsx";
import type { GraphNode } from "./graph-nodes.tsx";
import { beginOf, groupStatus } from "./group-status.ts";
import { NodeFrame } from "./node-frame.tsx";
import { GROUP_NODE } from "./graph-words.ts";
import styles from "./node.module.css";

/** Many alike steps in one node: how many there are, how many are done, and how long they have been running. */
export function GroupNode({ data }: NodeProps<GraphNode>) {
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
