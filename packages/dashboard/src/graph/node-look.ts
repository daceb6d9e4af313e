import clsx from "clsx";
import type { StepStatus } from "../api/api-types.ts";

const NODE =
  "pointer-events-auto relative flex size-full flex-col gap-1 rounded-lg border border-l-4 px-3 py-2 text-left focus-visible:outline-3 focus-visible:outline-offset-3 forced-colors:aria-pressed:outline-2 forced-colors:aria-pressed:-outline-offset-2 forced-colors:aria-pressed:outline-[Highlight]";
const UNSTARTED: ReadonlySet<StepStatus> = new Set(["waiting", "queued", "skipped", "cancelled"]);
const TINTED: ReadonlySet<StepStatus> = new Set(["running", "failed"]);

type NodeState = {
  readonly status: StepStatus;
  readonly critical: boolean;
  readonly selected: boolean;
  /** Too small for text. */
  readonly isFar: boolean;
  /** How many of its steps match the search; absent without a search. */
  readonly found: number | undefined;
  /** Whether it has the current match. */
  readonly isAt: boolean;
};

/** The classes of a node, except for its tone. Nodes that do not match a search are faded but readable. */
export function lookOfNode(state: NodeState): string {
  const { status, critical, isFar, found, isAt } = state;
  return clsx(
    NODE,
    UNSTARTED.has(status) && "border-dashed [border-left-style:solid]",
    critical && "border-y-2 border-r-2",
    isFar && "items-center justify-center",
    found === 0 ? "border-line bg-sunken text-faint [--tone:var(--border-strong)]" : coloursOf(state),
    found !== undefined && found > 0 && "outline-accent -outline-offset-1",
    found !== undefined && found > 0 && (isFar ? "outline-12" : isAt ? "outline-4" : "outline-2"),
    shadowOf(state),
  );
}

function coloursOf({ status, critical, selected, isFar, found }: NodeState): string {
  const isMarked = selected || found !== undefined;
  return clsx(
    isMarked ? "border-accent" : "border-line border-l-tone",
    critical && found === undefined && "border-y-critical/60 border-r-critical/60",
    !critical && !isMarked && "hover:border-tone",
    isFar && "bg-[color-mix(in_srgb,var(--tone)_16%,var(--surface))] text-tone",
    !isFar &&
      (TINTED.has(status) ? "bg-[color-mix(in_srgb,var(--tone-soft)_60%,var(--surface))]" : "bg-surface"),
  );
}

/** Shadows are expensive to draw, and invisible from far away. */
function shadowOf({ selected, isFar, found, isAt }: NodeState): string {
  if (isAt) return "shadow-[0_0_0_6px_var(--accent-soft)]";
  if (found === 0) return "";
  return selected ? "shadow-ring" : isFar ? "" : "shadow-card";
}
