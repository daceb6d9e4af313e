import { Icon, type IconName } from "../ui/icons.tsx";
import type { NodeState } from "./search-rows.ts";
import { NODE_STATE } from "./search-words.ts";

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

/** What became of a node, as icon, word and colour. */
export function NodeStateBadge({ state }: { state: NodeState }) {
  const { label, icon, tone, about } = LOOKS[state];
  return (
    <span className={`badge badge-plain tone-${tone}`} title={about}>
      <Icon name={icon} size={14} spin={state === "trying"} />
      {label}
    </span>
  );
}
