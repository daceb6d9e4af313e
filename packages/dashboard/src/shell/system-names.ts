import type { SystemPart } from "../router/use-route.ts";

/** What the pages about the whole system are called. */
export const SYSTEM_NAMES: Readonly<Record<SystemPart, string>> = {
  approvals: "Approvals",
  tools: "Tools",
  workers: "Workers",
  "dead-letters": "Dead letters",
  figures: "Metrics",
};
