/** The texts of empty states: what would appear there, how to get it, and one link. */
import type { IconName } from "../ui/icons.tsx";

export type EmptyWords = {
  readonly icon: IconName;
  readonly title: string;
  /** Text between backticks is code. */
  readonly about: string;
  readonly link: { readonly label: string } & (
    | { readonly docs: string; readonly page?: undefined }
    /** A page of the dashboard. */
    | { readonly page: string; readonly docs?: undefined }
  );
};

export type EmptyPlace = keyof typeof EMPTY;

export const EMPTY = {
  plans: {
    icon: "inbox",
    title: "No plans yet",
    about:
      "A plan appears here as soon as you submit a goal: on the start page, with `planwright submit`, or through the API.",
    link: { label: "Submit a goal", page: "/" },
  },
  planList: {
    icon: "inbox",
    title: "No plans yet",
    about: "Plans appear here, newest first, as soon as you submit a goal.",
    link: { label: "See an example", docs: "tutorial" },
  },
  approvals: {
    icon: "succeeded",
    title: "No pending approvals",
    about:
      "Steps that need approval and drafts that you asked to review appear here. The goal's options and the policy determine which steps need approval; by default, high-risk steps do.",
    link: { label: "About effects and approvals", docs: "effects-and-approvals" },
  },
  deadLetters: {
    icon: "succeeded",
    title: "No dead letters",
    about:
      "Steps, drafts and reviews that failed five times, or killed their workers, appear here with their cause. You can retry or discard them.",
    link: { label: "About dead letters", docs: "dead-letters" },
  },
  workers: {
    icon: "alert",
    title: "No workers connected",
    about: "Executors appear here within seconds of starting. Until one is running, steps stay queued.",
    link: { label: "How to run workers", docs: "guides/scale-workers" },
  },
  tools: {
    icon: "inbox",
    title: "No tools registered",
    about:
      "Executors register their tools when they start: the built-in ones, yours, and those of MCP servers. No executor has registered a tool yet.",
    link: { label: "See which workers are connected", page: "/workers" },
  },
  metrics: {
    icon: "inbox",
    title: "No finished plans in this time range",
    about:
      "Success rate, duration, cost and tools appear here once a plan has finished. To see older plans, choose a longer range.",
    link: { label: "Submit a goal", page: "/" },
  },
  data: {
    icon: "file",
    title: "No data sources",
    about: "Attach a CSV or SQLite file above, and plans can query it with SQL.",
    link: { label: "About data sources", docs: "data" },
  },
  planning: {
    icon: "planning",
    title: "Planning…",
    about: "Each step appears as soon as it is planned and may start before planning is complete.",
    link: { label: "About the life of a plan", docs: "plan-lifecycle" },
  },
  noStepsYet: {
    icon: "planning",
    title: "No steps yet",
    about: "Each step appears as soon as it is planned and may start before planning is complete.",
    link: { label: "About the life of a plan", docs: "plan-lifecycle" },
  },
  noSteps: {
    icon: "group",
    title: "No steps",
    about: "The plan was answered directly or ended during planning.",
    link: { label: "About direct answers", docs: "strategies/direct" },
  },
  longTimeline: {
    icon: "clock",
    title: "Too many events for a timeline",
    about: "This page no longer holds the first events. The Steps tab shows how long each step took.",
    link: { label: "About the timeline", docs: "timeline" },
  },
  events: {
    icon: "inbox",
    title: "No events yet",
    about: "Everything that happens to the plan is recorded as an event and appears here.",
    link: { label: "All events", docs: "reference/events" },
  },
  revisions: {
    icon: "planning",
    title: "No revisions",
    about: "When the unfinished part of a plan is replaced, the difference and its reason appear here.",
    link: { label: "About revisions", docs: "revision" },
  },
  facts: {
    icon: "search",
    title: "No facts yet",
    about:
      "Facts that are extracted from outputs appear here, each with its confidence, its source and conflicting values.",
    link: { label: "About facts", docs: "facts" },
  },
  code: {
    icon: "file",
    title: "No program",
    about: "This plan changes data without a program; its steps name the rows.",
    link: { label: "About programs", docs: "code" },
  },
  searchTree: {
    icon: "planning",
    title: "No actions yet",
    about: "The model is proposing the first actions. Each appears here with its value.",
    link: { label: "About tree search", docs: "strategies/tree-search" },
  },
  compareFound: {
    icon: "search",
    title: "No plan found",
    about: "Search matches the beginnings of words in goals, metadata and IDs.",
    link: { label: "See all plans", page: "/plans" },
  },
  compareOthers: {
    icon: "search",
    title: "No other plans",
    about: "Other plans with the same goal appear here. Run this plan again, with or without changes.",
    link: { label: "About re-runs and forks", docs: "rerun-and-history" },
  },
} as const satisfies Readonly<Record<string, EmptyWords>>;
