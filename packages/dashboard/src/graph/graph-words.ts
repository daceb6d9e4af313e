/** The texts of the Graph tab. */

export const GRAPH_TAB = {
  criticalPath: "Critical path",
} as const;

export const GROUP_NODE = {
  failed: (failed: string | number) => `${failed} failed`,
} as const;

export const GROUP_PANEL = {
  stepsInThisGroup: "Steps in this group",
  foundOf: (value: string | number) => `${value} found of `,
  closeGroup: "Close group",
  showMore: "Show more",
} as const;

export const NODE_FRAME = {
  onTheCriticalPath: "on the critical path ",
  found: (value: string | number) => `${value} found`,
  foundOne: "found",
  criticalPathRead: "on the critical path",
} as const;

export const PLAN_GRAPH = {
  label: "Plan steps as a graph. Use the arrow keys to move, or the Steps tab for a list.",
} as const;

export const STEP_NODE = {
  waitingToRetry: "Waiting to retry",
  attempt: (attempt: string | number) => `attempt ${attempt}`,
} as const;

export const EDGES_OF = {
  ifItFails: "if it fails",
} as const;

export const GROUP_STEPS = {
  otherTool: "other tool",
} as const;

export const USE_GRAPH_KEYS = {
  across: "In the graph: go to a dependent or a dependency",
  along: "In the graph: go to a sibling step",
  ends: "In the graph: go to the first or last step (↵ opens it)",
} as const;
