/** The texts of elements that every page uses. */

export const COMMON = {
  andMore: (what: string | number) => `and ${what} more`,
  showMoreLeft: (count: string | number) => `Show more (${count} left)`,
  tryAgain: "Try again",
} as const;

export const COPY_BUTTON = {
  copied: "Copied",
} as const;

export const COPY_LINK = {
  copy: (to: string | number) => `Copy the link to ${to}`,
  linkTo: (to: string | number) => `Link to ${to}`,
} as const;

export const ERROR_BOUNDARY = {
  cannotBeShown: (what: string | number) => `${what} cannot be shown`,
} as const;

export const LOADING = {
  loading: "Loading",
} as const;

export const PAGER = {
  of: (value: string | number, value2: string | number, value3: string | number) =>
    `${value}–${value2} of ${value3}`,
} as const;

export const RISK_BADGE = {
  risk: (risk: string | number) => `${risk} risk`,
} as const;

export const STATUS_BADGE = {
  startsLater: "Starts later",
  planning: "Planning",
  waitingForApproval: "Waiting for approval",
  queued: "Queued",
  running: "Running",
  paused: "Paused",
  compensating: "Compensating",
  reflecting: "Reflecting",
  reviewing: "Reviewing",
  waiting: "Waiting",
  succeeded: "Succeeded",
  partiallySucceeded: "Partially succeeded",
  failed: "Failed",
  skipped: "Skipped",
  cancelled: "Cancelled",
  itemsFailed: (failedItems: string | number) => `${failedItems} items failed`,
  lengthLimit: "the model reached its length limit",
} as const;

export const API_ERROR = {
  unreachable: "The gateway cannot be reached.",
} as const;

export const FORMAT = {
  justNow: "just now",
  secondsAgo: (seconds: string | number) => `${seconds} s ago`,
  minutesAgo: (value: string | number) => `${value} min ago`,
  hoursAgo: (value: string | number) => `${value} h ago`,
  daysAgo: (value: string | number) => `${value} d ago`,
} as const;

export const USE_DIALOG_FOCUS = {
  label: "Close the side panel",
} as const;
