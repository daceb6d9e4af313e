/** The texts of a plan's tabs. */
export const PLAN_WORDS = {
  collapse: "Collapse finished stages",
  frontier: "Show running steps",
  minimap: "Overview of the graph",
  slowestFirst: "Slowest first",
  status: "Status",
  step: "Step",
  tabs: {
    graph: "Graph",
    timeline: "Timeline",
    steps: "Steps",
    tree: "Tree",
    code: "Code",
    revisions: "Revisions",
    facts: "Facts",
    trace: "Trace",
    events: "Events",
  },
  tabsName: "Plan details tabs",
  tool: "Tool",
  took: "Took",
} as const;
