import type { Place } from "../router/use-route.ts";

/** What the pages of the top bar are called. */
export const PLACE_NAMES: Readonly<Record<Place, string>> = {
  plans: "Plans",
  approvals: "Approvals",
  tools: "Tools",
  workers: "Workers",
  "dead-letters": "Dead letters",
  metrics: "Metrics",
};
