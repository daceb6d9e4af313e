/** The plan's steps as a graph, live. */
import "@xyflow/react/dist/base.css";
import { GRAPH_TAB } from "./graph-words.ts";
import { whyWaiting } from "@planwright/plan/why-waiting";
import { useContext, useMemo, useRef, useState } from "react";
import type { StepView } from "../api/api-types.ts";
import { PlanClockContext } from "../clock/plan-clock.ts";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { PLAN_WORDS } from "../plan/plan-words.ts";
import { StepSearchField, type Walk } from "../plan/step-search-field.tsx";
import { useStepSearch } from "../plan/use-step-search.ts";
import { useSearchField } from "../router/use-route.ts";
import { Icon } from "../ui/icons.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { GroupPanel } from "./group-panel.tsx";
import {
  graphOf,
  type GroupNodeModel,
  hasFinishedStages,
  type NodeModel,
  NODES_MAX,
  READABLE_NODES_MAX,
} from "./group-steps.ts";
import { PlanGraph } from "./plan-graph.tsx";
import { foundIn, nodeOfStep } from "./found-in.ts";
import { useGraphFocus } from "./use-graph-focus.ts";
import { usePlaceWidth } from "../ui/use-place-width.ts";
import { matchBeside } from "../plan/find-steps.ts";
import styles from "./graph.module.css";

const LEGEND = ["waiting", "queued", "running", "succeeded", "failed", "skipped", "cancelled"] as const;

export function GraphTab({ view, selected, onSelectStep }: TabProps) {
  const place = useRef<HTMLDivElement>(null);
  const clock = useContext(PlanClockContext);
  const widthPx = usePlaceWidth(place);
  const [collapse] = useCollapse();
  const graph = useMemo(() => graphOf(view.steps, { collapse }), [view.steps, collapse]);
  const [groupId, setGroupId] = useState<string>();
  const group = graph.nodes.find(
    (node): node is GroupNodeModel => node.kind === "group" && node.id === groupId,
  );
  const search = useStepSearch(view.steps);
  const focus = useGraphFocus();
  const { found } = search;
  const walk = useWalk(found, graph.nodes, (node) => {
    setGroupId(node.kind === "group" ? node.id : undefined);
    focus.goTo({ id: node.id, centred: true });
  });
  const counts = useMemo(() => found && foundIn(graph.nodes, found), [graph.nodes, found]);
  return (
    <div ref={place}>
      {search.isOffered && (
        <StepSearchField search={search} walk={walk}>
          <CollapseField view={view} />
        </StepSearchField>
      )}
      {view.steps.length === 0 && <EmptyState of={view.ended ? "noSteps" : "planning"} />}
      <div className={styles.graphPlace}>
        {view.steps.length > 0 && widthPx > 0 && (
          <PlanGraph
            graph={graph}
            criticalPath={view.criticalPath.stepIds}
            widthPx={widthPx}
            selected={selected ?? group?.id}
            whyOf={(step) => whyWaiting(view, step, clock.now())}
            focus={focus}
            found={counts && { counts, at: walk.nodeId }}
            onSelect={(id) => (id.startsWith("group:") ? setGroupId(id) : onSelectStep(id))}
          />
        )}
        {group !== undefined && (
          <GroupPanel
            group={group}
            found={found}
            at={walk.at?.id}
            onSelectStep={onSelectStep}
            onClose={() => setGroupId(undefined)}
          />
        )}
      </div>
      <Legend steps={view.steps} />
    </div>
  );
}

/** Whether finished stages are one node each. The address keeps it. */
function useCollapse(): readonly [isOn: boolean, toggle: () => void] {
  const [field, setField] = useSearchField("collapse");
  const isOn = field !== undefined;
  return [isOn, () => setField(isOn ? undefined : "1")];
}

function CollapseField({ view: { steps } }: Pick<TabProps, "view">) {
  const [isOn, toggle] = useCollapse();
  const isOffered = useMemo(
    () => steps.length > READABLE_NODES_MAX && steps.length <= NODES_MAX && hasFinishedStages(steps),
    [steps],
  );
  if (!isOffered) return null;
  return (
    <label className={styles.graphCollapse}>
      <input type="checkbox" checked={isOn} onChange={toggle} />
      {PLAN_WORDS.collapse}
    </label>
  );
}

function Legend({ steps }: { steps: readonly StepView[] }) {
  const present = new Set(steps.map(({ status }) => status));
  return (
    <div className={styles.graphLegend} hidden={steps.length === 0}>
      {LEGEND.filter((status) => present.has(status)).map((status) => (
        <StatusBadge key={status} status={status} plain />
      ))}
      <span className={styles.graphLegendCritical}>
        <Icon name="critical" size={10} /> {GRAPH_TAB.criticalPath}
      </span>
    </div>
  );
}

/**
 * A walk from match to match of a search in the graph.
 *
 * @param onNode - Shows the node that the next match is in.
 */
function useWalk(
  found: readonly StepView[] | undefined,
  nodes: readonly NodeModel[],
  onNode: (node: NodeModel) => void,
): Walk & { readonly nodeId: string | undefined } {
  const [stepId, setStepId] = useState<string>();
  const at = found?.find(({ id }) => id === stepId);
  const go = (by: 1 | -1) => {
    const next = matchBeside(found ?? [], stepId, by);
    const node = nodeOfStep(nodes, next?.id);
    if (next === undefined || node === undefined) return;
    setStepId(next.id);
    onNode(node);
  };
  return { at, go, nodeId: nodeOfStep(nodes, at?.id)?.id };
}
