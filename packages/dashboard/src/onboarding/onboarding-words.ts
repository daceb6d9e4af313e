/** All texts of the checklist on the start page, with the docs pages to which it links. */
import type { ChecklistItem } from "./checklist.ts";

export const ONBOARDING = {
  title: "Get started",
  dismiss: "Dismiss the checklist",
  done: "Done",
} as const;

export function progressText(done: number, total: number): string {
  return `${done} of ${total} done`;
}

type ItemWords = {
  readonly title: string;
  readonly about: string;
  readonly link: string;
  /** A page of the docs, relative to their root. */
  readonly docs: string;
};

export const ITEMS: Readonly<Record<ChecklistItem, ItemWords>> = {
  model: {
    title: "Connect a model",
    about: "The demo model follows fixed rules. A language model can plan any goal.",
    link: "Connect a model",
    docs: "first-model",
  },
  tool: {
    title: "Add a tool",
    about: "Let plans use your own systems: write a tool in TypeScript, or connect an MCP server.",
    link: "Add a tool",
    docs: "guides/add-a-tool",
  },
  data: {
    title: "Upload data",
    about: "Attach a CSV or SQLite file to a goal. Plans query it with SQL.",
    link: "Use your own data",
    docs: "data",
  },
  goal: {
    title: "Submit a first goal",
    about: "Describe your goal above, or choose an example.",
    link: "Tutorial",
    docs: "tutorial",
  },
};
