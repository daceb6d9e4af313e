import { Handle, Position } from "@xyflow/react";
import type { ReactNode } from "react";
import type { GraphNodeData } from "./graph-nodes.tsx";

type Props = {
  readonly data: GraphNodeData;
  readonly tone: string;
  readonly status: string;
  readonly children: ReactNode;
};

/** What every node of the graph is: a button that opens its details, with a place for edges on two sides. */
export function NodeFrame({ data, tone, status, children }: Props) {
  const { model, critical, selected, direction, onSelect, whyOf } = data;
  const explain = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    currentTarget.title = (model.kind === "step" ? whyOf(model.step) : undefined) ?? "";
  };
  const across = direction === "LR";
  return (
    <>
      <Handle type="target" position={across ? Position.Left : Position.Top} isConnectable={false} />
      <button
        type="button"
        className={`node tone-${tone}`}
        data-status={status}
        data-critical={critical}
        data-node={model.id}
        aria-pressed={selected}
        onClick={() => onSelect(model.id)}
        onPointerEnter={explain}
        onFocus={explain}
      >
        {children}
        {critical && <span className="visually-hidden">on the critical path</span>}
      </button>
      <Handle type="source" position={across ? Position.Right : Position.Bottom} isConnectable={false} />
    </>
  );
}
