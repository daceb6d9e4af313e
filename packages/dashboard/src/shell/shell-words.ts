/** The texts around every page. */
import type { Place } from "../router/use-route.ts";
import type { ConnectionState } from "@planwright/client";

export const CONNECTION_NAMES: Readonly<Record<ConnectionState, string>> = {
  idle: "",
  connecting: "Connecting…",
  open: "Live",
  reconnecting: "Reconnecting…",
};

export const API_KEY_DIALOG = {
  signInTitle: "Sign in to Planwright",
  keyTitle: "Enter your API key",
  signIn: "Sign in",
  orUseAnApi: "Or use an API key:",
  keyIsShared: "All Planwright tabs in this browser share the key until you close them or sign out.",
  apiKey: "API key",
  keyRejected: "The gateway rejected this key.",
  continue: "Continue",
} as const;

export const APP = {
  skipToContent: "Skip to content",
  thisPage: "This page",
  loadingPage: "Loading page",
  pageNotFound: "Page not found",
  noPageAt: (path: string | number) => `No page at ${path}.`,
  goHome: "Go home",
} as const;

export const RAIL = {
  plans: "Plans",
  planList: "Plan list",
  searchPlans: "Search plans",
  nextPlan: "Next plan (↓ in the list)",
  previousPlan: "Previous plan (↑ in the list)",
} as const;

export const THEME_BUTTON = {
  auto: "system",
  light: "light",
  dark: "dark",
  theme: (name: string | number) => `Theme: ${name}`,
  themeClickFor: (name: string | number, next: string | number) => `Theme: ${name}. Click for ${next}.`,
} as const;

export const TOP_BAR = {
  planwrightHome: "Planwright home",
  planwright: "Planwright",
  system: "System",
  help: "Help",
  helpTitle: "Docs: tutorial, guides, reference, troubleshooting",
  aboutTheModel: "About the model",
  demoModel: "Demo model (rule-based).",
  set: "Set",
  or: "(or",
  andRestart: ") and restart to use a real model.",
  openaiApiKey: "OPENAI_API_KEY",
  openaiBaseUrl: "OPENAI_BASE_URL",
  models: (planner: string | number, executor: string | number, reflector: string | number) =>
    `planner: ${planner}, executor: ${executor}, reflector: ${reflector}`,
} as const;

/** The names of the pages in the top bar. */
export const PLACE_NAMES: Readonly<Record<Place, string>> = {
  plans: "Plans",
  approvals: "Approvals",
  tools: "Tools",
  workers: "Workers",
  "dead-letters": "Dead letters",
  metrics: "Metrics",
};
