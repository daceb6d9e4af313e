/** The texts of the Tree tab. */
import type { Search } from "./search-rows.ts";

export const PHASES: Readonly<Record<Search["phase"], string>> = {
  expanding: "proposing and trying actions",
  valuing: "evaluating results",
  answering: "writing the answer from the best path",
};

export const NODE_DETAILS = {
  node: (id: string | number) => `Node ${id}`,
  roundDepth: (round: string | number, depth: string | number) => `round ${round}, depth ${depth}`,
  took: (durationMs: string | number) => `took ${durationMs}`,
  evaluation: "Evaluation",
  action: "Action:",
  follows: "Follows",
  error: "Error",
  observation: "Observation",
  status: "Status",
  value: "Value",
  of0To1: (value: string | number) => `${value}, of 0 to 1`,
  mean: "Mean",
  over: (value: string | number, visits: string | number) => `${value}, over ${visits}`,
  visit: "visit",
  visits: "visits",
  uct: "UCT",
  whichIsLn: (
    value: string | number,
    value2: string | number,
    value3: string | number,
    exploration: string | number,
    parentVisits: string | number,
    visits: string | number,
  ) => `${value} = ${value2} + ${value3}, which is ${exploration} × √(ln ${parentVisits} / ${visits})`,
  expanded: "Expanded",
  inRound: (value: string | number) => `in round ${value}`,
  itsStep: "Its step",
  itsSteps: "Its steps",
  itsOwnPlan: "its own plan",
} as const;

export const NODE_STATE = {
  trying: "Trying",
  itsActionIsRunning: "its action is running",
  evaluating: "Evaluating",
  ranNotEvaluatedYet: "ran, not evaluated yet",
  expanding: "Expanding",
  theCurrentRoundExpands: "the current round expands it",
  expanded: "Expanded",
  hasChildActions: "has child actions",
  open: "Open",
  mayBeExpandedNext: "may be expanded next",
  fullDepth: "Full depth",
  maximumDepthReached: "maximum depth reached",
  discarded: "Discarded",
  notExpandedWhenThe: "not expanded when the search ended",
  failed: "Failed",
  itsActionFailed: "its action failed",
  solved: "Solved",
  reachesTheGoal: "reaches the goal",
  refuted: "Refuted",
  doesNotReachGoal: "does not reach the goal",
} as const;

export const TREE_ROW = {
  onTheBestPath: "On the best path:",
} as const;

export const TREE_TAB = {
  expandAll: "Expand all",
  collapseAll: "Collapse all",
  showBestPathOnly: "Show best path only",
  searchSettings: "Search settings",
  searchTree: "Search tree",
  rounds: "Rounds",
  ofMax: (rounds: string | number, iterations: string | number) => `${rounds} of max ${iterations}`,
  tried: "Tried",
  solutions: "Solutions",
  meanValue: "Mean value",
  noneYet: "none yet",
  width: "Width",
  perRound: (width: string | number) => `${width} per round`,
  depth: "Depth",
  exploration: "Exploration",
  lastPhase: "Last phase",
} as const;
