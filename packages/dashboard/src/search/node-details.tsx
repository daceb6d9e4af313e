import type { ReactNode } from "react";
import type { PlanView, StepView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { formatDuration } from "../ui/format.ts";
import { ArtifactView } from "../values/artifact-view.tsx";
import { JsonView } from "../values/json-view.tsx";
import { ValueView } from "../values/value-view.tsx";
import { actionOf, type Search, type SearchRow, type NodeState } from "./search-rows.ts";
import { NODE_DETAILS, NODE_STATE } from "./search-words.ts";
import { Icon, type IconName } from "../ui/icons.tsx";

type Props = {
  readonly view: PlanView;
  readonly search: Search;
  readonly row: SearchRow;
  readonly rows: readonly SearchRow[];
  readonly onSelectNode: (id: string) => void;
  readonly onSelectStep: (id: string) => void;
};

/** One node: its action, result and evaluation, and why the search continued from it or not. */
export function NodeDetails({ view, search, row, rows, onSelectNode, onSelectStep }: Props) {
  const { node, step, state } = row;
  return (
    <section
      className="grid grid-cols-1 gap-2.5 rounded-md border border-line px-4 py-3.5"
      aria-label={NODE_DETAILS.node(node.id)}
    >
      <header>
        <h3 className="text-base">{actionOf(row)}</h3>
        <p className="mt-1 flex flex-wrap gap-x-3.5 gap-y-1 text-sm text-soft">
          <NodeStateBadge state={state} />
          <span>{NODE_DETAILS.roundDepth(node.round, node.depth)}</span>
          {step?.durationMs !== undefined && (
            <span>{NODE_DETAILS.took(formatDuration(step.durationMs))}</span>
          )}
        </p>
      </header>
      <Path row={row} rows={rows} onSelect={onSelectNode} />
      {node.reason !== "" && (
        <>
          <Title>{NODE_DETAILS.evaluation}</Title>
          <p className="whitespace-pre-wrap">{node.reason}</p>
        </>
      )}
      {step !== undefined && <Observation step={step} planId={view.planId} />}
      <Bound row={row} search={search} />
      {step !== undefined && (
        <>
          <Title>
            {NODE_DETAILS.action} <code>{step.tool}</code>
          </Title>
          <JsonView value={step.args} />
          <Steps step={step} onSelect={onSelectStep} />
        </>
      )}
    </section>
  );
}

function Title({ children }: { children: ReactNode }) {
  return <h4 className="text-xs font-semibold text-faint">{children}</h4>;
}

function Path({
  row,
  rows,
  onSelect,
}: {
  row: SearchRow;
  rows: readonly SearchRow[];
  onSelect: (id: string) => void;
}) {
  const byId = new Map<string, SearchRow>(rows.map((one) => [one.node.id, one]));
  const above: SearchRow[] = [];
  // Bounds the loop: a path is no longer than the number of nodes, whatever parents the view names.
  for (let at = row; above.length < rows.length; ) {
    const parent = at.node.parent === undefined ? undefined : byId.get(at.node.parent);
    if (parent === undefined) break;
    above.unshift(parent);
    at = parent;
  }
  if (above.length === 0) return null;
  return (
    <p className="neighbours">
      <span>{NODE_DETAILS.follows}</span>
      {above.map(({ node }) => (
        <button key={node.id} type="button" className="chip" onClick={() => onSelect(node.id)}>
          {node.id}
        </button>
      ))}
    </p>
  );
}

function Observation({ step, planId }: { step: StepView; planId: string }) {
  const { output, error, reason } = step;
  if (error !== undefined) {
    return (
      <>
        <Title>{NODE_DETAILS.error}</Title>
        <p className="whitespace-pre-wrap">
          {error.message} <code>{error.code}</code>
        </p>
      </>
    );
  }
  if (output === undefined)
    return reason === undefined ? null : <p className="whitespace-pre-wrap">{reason}</p>;
  return (
    <>
      <Title>{NODE_DETAILS.observation}</Title>
      {"value" in output ? (
        <ValueView value={output.value} planId={planId} />
      ) : (
        <>
          <ArtifactView planId={planId} artifact={output.artifact} />
          <pre className="text-block">{output.preview}</pre>
        </>
      )}
    </>
  );
}

/** How its bound is calculated, with the numbers. */
function Bound({ row, search: { settings } }: { row: SearchRow; search: Search }) {
  const { node, parentVisits, chosenIn } = row;
  const { uct, meanValue, visits, value } = node;
  if (uct === null) return null;
  const bonus = uct - meanValue;
  return (
    <>
      <Title>{NODE_DETAILS.status}</Title>
      <dl className="facts">
        <dt>{NODE_DETAILS.value}</dt>
        <dd>{NODE_DETAILS.of0To1(value.toFixed(2))}</dd>
        <dt>{NODE_DETAILS.mean}</dt>
        <dd>
          {NODE_DETAILS.over(meanValue.toFixed(3), visits)}{" "}
          {visits === 1 ? NODE_DETAILS.visit : NODE_DETAILS.visits}
        </dd>
        <dt>{NODE_DETAILS.uct}</dt>
        <dd>
          {NODE_DETAILS.whichIsLn(
            uct.toFixed(3),
            meanValue.toFixed(3),
            bonus.toFixed(3),
            settings.exploration,
            parentVisits,
            visits,
          )}
        </dd>
        {chosenIn.length > 0 && (
          <>
            <dt>{NODE_DETAILS.expanded}</dt>
            <dd>{NODE_DETAILS.inRound(chosenIn.join(", "))}</dd>
          </>
        )}
      </dl>
    </>
  );
}

function Steps({ step, onSelect }: { step: StepView; onSelect: (id: string) => void }) {
  const ids = [step.id, ...(step.verifiedBy ?? []), ...(step.fallback === undefined ? [] : [step.fallback])];
  return (
    <p className="neighbours">
      <span>{ids.length === 1 ? NODE_DETAILS.itsStep : NODE_DETAILS.itsSteps}</span>
      {ids.map((id) => (
        <button key={id} type="button" className="chip" onClick={() => onSelect(id)}>
          {id}
        </button>
      ))}
      {step.child !== undefined && <Link href={`/plans/${step.child}`}>{NODE_DETAILS.itsOwnPlan}</Link>}
    </p>
  );
}

type Look = {
  readonly label: string;
  readonly icon: IconName;
  readonly tone: string;
  readonly about: string;
};

const LOOKS: Readonly<Record<NodeState, Look>> = {
  trying: { label: NODE_STATE.trying, icon: "running", tone: "run", about: NODE_STATE.itsActionIsRunning },
  valuing: {
    label: NODE_STATE.evaluating,
    icon: "reviewing",
    tone: "run",
    about: NODE_STATE.ranNotEvaluatedYet,
  },
  next: {
    label: NODE_STATE.expanding,
    icon: "chevron",
    tone: "run",
    about: NODE_STATE.theCurrentRoundExpands,
  },
  expanded: { label: NODE_STATE.expanded, icon: "group", tone: "idle", about: NODE_STATE.hasChildActions },
  open: { label: NODE_STATE.open, icon: "waiting", tone: "idle", about: NODE_STATE.mayBeExpandedNext },
  deep: { label: NODE_STATE.fullDepth, icon: "paused", tone: "idle", about: NODE_STATE.maximumDepthReached },
  left: {
    label: NODE_STATE.discarded,
    icon: "skipped",
    tone: "idle",
    about: NODE_STATE.notExpandedWhenThe,
  },
  failed: { label: NODE_STATE.failed, icon: "failed", tone: "bad", about: NODE_STATE.itsActionFailed },
  solved: { label: NODE_STATE.solved, icon: "succeeded", tone: "ok", about: NODE_STATE.reachesTheGoal },
  refuted: { label: NODE_STATE.refuted, icon: "cancelled", tone: "warn", about: NODE_STATE.doesNotReachGoal },
};

/** The state of a node, as icon, text and colour. */
export function NodeStateBadge({ state }: { state: NodeState }) {
  const { label, icon, tone, about } = LOOKS[state];
  return (
    <span className={`badge badge-plain tone-${tone}`} title={about}>
      <Icon name={icon} size={14} spin={state === "trying"} />
      {label}
    </span>
  );
}
