/** The texts of a plan and its tabs; those of a step are in step-words.ts. */
import type { AnswerStatus } from "../api/api-types.ts";

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

export const ANSWER_CARD = {
  answer: "Answer",
  pending: "Answer pending",
  demoModel: "demo model (rule-based)",
  copyAnswer: "Copy answer",
} as const;

export const ANSWER_NAMES: Readonly<Record<AnswerStatus, string>> = {
  success: "Answered",
  partial: "Partial answer",
  no_match: "Nothing found",
  insufficient_stock: "Not enough in stock",
  invalid_request: "Invalid request",
  unsupported_intent: "Not supported",
  failed: "Failed",
};

export const ANSWER_DATA = {
  data: "Data",
} as const;

export const ANSWER_SOURCES = {
  sources: "Sources",
  showFewer: "Show fewer",
  showAll: (value: string | number) => `Show all ${value}`,
} as const;

export const ANSWER_TEXT = {
  showLess: "Show less",
  showFullAnswer: "Show full answer",
} as const;

export const EVENTS_TAB = {
  loadingEvents: "Loading events",
  searchEvents: "Search events",
  searchHint: "Search events by type, step or text",
  of: (value: string | number, all: string | number) => `${value} of ${all}`,
  noMatchingEvents: "No matching events",
  eventPages: "Event pages",
  zero: "0 ms",
  newest: "Newest",
  newer: "Newer",
  older: "Older",
  oldest: "Oldest",
} as const;

export const FEEDBACK_CARD = {
  rateThisPlan: "Rate this plan",
  yourRating: "Your rating",
  of5: (value: string | number) => `${value} of 5`,
  comment: "Comment",
  commentHint: "What worked well, and what didn't?",
  sendRating: "Send rating",
} as const;

export const HISTORY_BAR = {
  history: "History",
  stop: "Stop",
  play: "Play",
  event: "Event",
  position: (seq: string | number, last: string | number) => `after event ${seq} of ${last}`,
  of: (seq: string | number, last: string | number) => `${seq} of ${last}`,
  backToLive: "Back to live",
} as const;

export const PLAN_DETAILS = {
  planDetails: "Plan details",
  goal: "Goal",
  strategy: "Strategy",
  reasoning: "Reasoning",
  submittedBy: "Submitted by",
  planId: "Plan ID",
  copyPlanId: "Copy plan ID",
  traceId: "Trace ID",
  copyTraceId: "Copy trace ID",
  criticalPath: "Critical path",
  noneYet: "none yet",
  model: "Model",
  issuesOfDraft: (number: string | number) => `Issues of draft ${number}`,
  metadata: "Metadata",
  constraints: "Constraints",
  planSize: "Plan size",
  sources: "Sources",
  sourcesRequired: "required for numbers and names",
  priority: "Priority",
} as const;

export const PLAN_PAGE = {
  planNotFound: "Plan not found",
  cannotLoadThisPlan: "Cannot load this plan",
  goHome: "Go home",
  plan: "Plan",
  planNamed: (label: string | number) => `Plan: ${label}`,
  pendingApprovals: "Pending approvals",
  theAnswer: "The answer",
  thisStep: "This step",
  loadingStep: "Loading step",
  loadingPlan: "Loading plan",
  previousEvent: "History: previous event",
  nextEvent: "History: next event, then live",
} as const;

export const PLAN_TABS = {
  thisTab: "This tab",
  loadingTab: "Loading tab",
  tab: (tabs: string | number) => `Tab ${tabs}`,
} as const;

export const STEPS_TAB = {
  onTheCriticalPath: "On the critical path",
  criticalPathRead: "on the critical path",
  first: "First",
  previous: "Previous",
  next: "Next",
  last: "Last",
  stepPages: "Step pages",
  pagesBelow: "Step pages (bottom)",
} as const;

export const STEP_MISSING = {
  thisPlanHadNo: "This plan had no step ",
  thisPlanHasNo: "This plan has no step ",
  atEvent: " at this event.",
  closeNote: "Close note",
} as const;

export const STEP_SEARCH_FIELD = {
  searchSteps: "Search steps",
  placeholder: "Find steps by ID, text, tool, status or worker",
  previousMatch: "Previous match",
  nextMatch: "Next match",
  of: (value: string | number, total: string | number) => `${value} of ${total}`,
  atThe: (value: string | number) => `, at the ${value}:`,
  findAStep: "Find a step",
  keysHint: "Find a step (↵ next match, ⇧↵ previous match)",
} as const;
