/** A goal that is divided level by level: one plan for each part, and leaves that do the work. */
import { type ModelScript, planPieces, type ScriptedPlan } from "@planwright/testkit";

const part = (id: string, goal: string) => ({ id, tool: "plan.run", args: { goal } });
const work = (id: string, value: string) => ({ id, tool: "flow.echo", args: { value } });

/** By a goal's first words. */
const PLANS: Readonly<Record<string, ScriptedPlan>> = {
  "Build a blog platform": {
    steps: [
      part("backend", "Build the backend of a blog platform: posts are stored and served."),
      part("frontend", "Build the frontend of a blog platform: one page that lists posts."),
      work("platform", "Blog platform: {{backend.output.text}}; {{frontend.output.text}}."),
    ],
    answerFrom: "platform",
  },
  "Build the backend": {
    steps: [
      part("storage", "Design the storage of posts for a blog platform."),
      work("api", "an API over {{storage.output.text}}"),
    ],
    answerFrom: "api",
  },
  "Design the storage": {
    steps: [
      part("schema", "Write the schema of the table of posts."),
      work("store", "a store of {{schema.output.text}}"),
    ],
    answerFrom: "store",
  },
  "Write the schema": { steps: [work("table", "posts(id, title, body)")], answerFrom: "table" },
  "Build the frontend": { steps: [work("page", "a page that lists posts")], answerFrom: "page" },
};

export const script: ModelScript = {
  plan: ({ blocks }) => {
    const goal = (blocks.get("goal") ?? "").trim();
    const [, plan] = Object.entries(PLANS).find(([words]) => goal.startsWith(words)) ?? [];
    if (plan === undefined) throw new Error(`no plan for ${goal}`);
    return planPieces(plan);
  },
};
