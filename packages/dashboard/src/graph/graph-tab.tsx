/** The plan's steps as a graph, live. */
import { whyWaiting } from "@planwright/plan/why-waiting";
import clsx from "clsx";
import { useContext, useEffect, useMemo, useRef, useState, useCallback } from "react";
import type { StepView } from "../api/api-types.ts";
import { PlanClockContext } from "../clock/plan-clock.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { matchBeside, useStepSearch } from "../plan/use-step-search.ts";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { PLAN_WORDS } from "../plan/plan-words.ts";
import { StepSearchField, type Walk } from "../plan/step-search-field.tsx";
import { StepTime } from "../step/step-time.tsx";
import { useSearchField } from "../router/use-route.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { StatusBadge, StepStatusBadge } from "../ui/status-badge.tsx";
import { usePlaceWidth } from "../ui/use-place-width.ts";
import { commonText } from "./common-text.ts";
import { GRAPH_TAB, GROUP_PANEL } from "./graph-words.ts";
import {
  graphOf,
  type GroupNodeModel,
  hasFinishedStages,
  type NodeModel,
  NODES_MAX,
  READABLE_NODES_MAX,
  type GraphModel,
} from "./group-steps.ts";
import { PlanGraph } from "./plan-graph.tsx";
import "./graph.css";

const ROWS_STEP = 50;

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
      <div className="relative">
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

/** Whether finished stages are collapsed into one node each. Kept in the address. */
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
    <label className="flex items-center gap-2 text-sm">
      <input type="checkbox" checked={isOn} onChange={toggle} />
      {PLAN_WORDS.collapse}
    </label>
  );
}

function Legend({ steps }: { steps: readonly StepView[] }) {
  if (steps.length === 0) return null;
  const present = new Set(steps.map(({ status }) => status));
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-xs">
      {LEGEND.filter((status) => present.has(status)).map((status) => (
        <StatusBadge key={status} status={status} plain />
      ))}
      <span className="font-semibold text-critical">
        <Icon name="critical" size={10} /> {GRAPH_TAB.criticalPath}
      </span>
    </div>
  );
}

/**
 * Steps through the matches of a search in the graph.
 *
 * @param onNode - Shows the node that contains the next match.
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

type Props = {
  readonly group: GroupNodeModel;
  /** The search text: other steps of the group are omitted; absent without a search. */
  readonly found: readonly StepView[] | undefined;
  /** The current match. */
  readonly at: string | undefined;
  readonly onSelectStep: (id: string) => void;
  readonly onClose: () => void;
};

/** The steps inside a group. */
function GroupPanel({ group, found, at, onSelectStep, onClose }: Props) {
  const [asked, setAsked] = useState(ROWS_STEP);
  const ids = found && new Set(found.map(({ id }) => id));
  const steps = ids === undefined ? group.steps : group.steps.filter(({ id }) => ids.has(id));
  const shown = Math.max(asked, steps.findIndex(({ id }) => id === at) + 1);
  const common = commonText(group.steps.map(({ description }) => description));
  return (
    // Over the graph, so that it is visible wherever the group is; below it where there is no room.
    <section
      className="absolute top-2.5 right-2.5 bottom-14.5 z-6 flex w-[min(420px,48%)] flex-col overflow-hidden rounded-md border border-line bg-raised shadow-float max-lg:static max-lg:w-auto max-lg:rounded-none max-lg:shadow-none"
      aria-label={GROUP_PANEL.stepsInThisGroup}
    >
      <header className="flex items-center justify-between px-4 py-2.5">
        <h3 className="text-base">
          {found !== undefined && GROUP_PANEL.foundOf(steps.length.toLocaleString("en"))}
          {formatCount(group.steps.length, "step")}
          {common !== undefined && `: ${common}`} <code>{group.tool}</code>
        </h3>
        <IconButton icon="close" label={GROUP_PANEL.closeGroup} onClick={onClose} />
      </header>
      <ul className="min-h-0 flex-1 overflow-y-auto">
        {steps.slice(0, shown).map((step) => (
          <Row key={step.id} step={step} isAt={step.id === at} onSelectStep={onSelectStep} />
        ))}
      </ul>
      {steps.length > shown && (
        <Button kind="quiet" onClick={() => setAsked(shown + ROWS_STEP)}>
          {GROUP_PANEL.showMore}
        </Button>
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
      <button
        type="button"
        className={clsx(
          "flex w-full items-center gap-3 border-0 border-t border-line px-4 py-1.5 text-left hover:bg-sunken",
          isAt ? "bg-accent-soft shadow-[inset_3px_0_0_var(--accent)]" : "bg-transparent",
        )}
        onClick={() => onSelectStep(step.id)}
      >
        <StepStatusBadge step={step} plain />
        <code>{step.id}</code>
        <span className="flex-1 truncate text-soft">{step.description}</span>
        <span>
          <StepTime step={step} />
        </span>
      </button>
    </li>
  );
}

/** How many of the given steps each node represents: 0 for nodes that represent none. */
export function foundIn(
  nodes: GraphModel["nodes"],
  found: readonly { readonly id: string }[],
): ReadonlyMap<string, number> {
  const ids = new Set(found.map(({ id }) => id));
  const count = (node: NodeModel): number => {
    if (node.kind === "step") return ids.has(node.id) ? 1 : 0;
    return node.steps.filter((step) => ids.has(step.id)).length;
  };
  return new Map(nodes.map((node) => [node.id, count(node)]));
}

/** The node that shows a step: its own, or its group's. */
export function nodeOfStep(nodes: GraphModel["nodes"], stepId: string | undefined): NodeModel | undefined {
  return nodes.find((node) =>
    node.kind === "step" ? node.id === stepId : node.steps.some(({ id }) => id === stepId),
  );
}

/** A node to bring into view. A new object is a new request. */
export type Target = {
  readonly id: string;
  /** Centre the node even if it is already in view. */
  readonly centred: boolean;
};

/** The reader's position in a graph: the node with the keyboard focus, and the one to show. */
export type GraphFocus = {
  /** Absent until the reader has visited a node. */
  readonly nodeId: string | undefined;
  readonly target: Target | undefined;
  readonly goTo: (target: Target) => void;
  /** The keyboard focus is on a visible node. */
  readonly settleAt: (id: string) => void;
  /** The reader is panning: no node is brought into view anymore. */
  readonly release: () => void;
};

export function useGraphFocus(): GraphFocus {
  const [nodeId, setNodeId] = useState<string>();
  const [target, setTarget] = useState<Target>();
  const goTo = useCallback((next: Target) => {
    setNodeId(next.id);
    setTarget(next);
  }, []);
  const release = useCallback(() => setTarget(undefined), []);
  return { nodeId, target, goTo, settleAt: setNodeId, release };
}
