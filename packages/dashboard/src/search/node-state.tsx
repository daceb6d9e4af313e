import { Icon, type IconName } from "../ui/icons.tsx";
import type { NodeState } from "./search-rows.ts";

type Look = {
  readonly label: string;
  readonly icon: IconName;
  readonly tone: string;
  readonly about: string;
};

const LOOKS: Readonly<Record<NodeState, Look>> = {
  trying: { label: "Trying", icon: "running", tone: "run", about: "its action runs" },
  valuing: {
    label: "Being valued",
    icon: "reviewing",
    tone: "run",
    about: "it has run and has no value yet",
  },
  next: { label: "Going on from here", icon: "chevron", tone: "run", about: "the round goes on from it" },
  expanded: { label: "Expanded", icon: "group", tone: "idle", about: "other actions follow it" },
  open: { label: "Open", icon: "waiting", tone: "idle", about: "the search may go on from it" },
  deep: { label: "Full depth", icon: "paused", tone: "idle", about: "no path is longer than this" },
  left: {
    label: "Left aside",
    icon: "skipped",
    tone: "idle",
    about: "the search ended without following it",
  },
  failed: { label: "Failed", icon: "failed", tone: "bad", about: "its action failed: nothing follows it" },
  solved: { label: "Solved", icon: "succeeded", tone: "ok", about: "the goal is reached with it" },
  refuted: { label: "Refuted", icon: "cancelled", tone: "warn", about: "it only seemed to reach the goal" },
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
