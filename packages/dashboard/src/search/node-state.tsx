import { Icon, type IconName } from "../ui/icons.tsx";
import type { NodeState } from "./search-rows.ts";

type Look = {
  readonly label: string;
  readonly icon: IconName;
  readonly tone: string;
  readonly about: string;
};

const LOOKS: Readonly<Record<NodeState, Look>> = {
  trying: { label: "Trying", icon: "running", tone: "run", about: "its action is running" },
  valuing: {
    label: "Evaluating",
    icon: "reviewing",
    tone: "run",
    about: "ran, not evaluated yet",
  },
  next: { label: "Expanding", icon: "chevron", tone: "run", about: "the current round expands it" },
  expanded: { label: "Expanded", icon: "group", tone: "idle", about: "has child actions" },
  open: { label: "Open", icon: "waiting", tone: "idle", about: "may be expanded next" },
  deep: { label: "Full depth", icon: "paused", tone: "idle", about: "maximum depth reached" },
  left: {
    label: "Discarded",
    icon: "skipped",
    tone: "idle",
    about: "not expanded when the search ended",
  },
  failed: { label: "Failed", icon: "failed", tone: "bad", about: "its action failed" },
  solved: { label: "Solved", icon: "succeeded", tone: "ok", about: "reaches the goal" },
  refuted: { label: "Refuted", icon: "cancelled", tone: "warn", about: "did not reach the goal after all" },
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
