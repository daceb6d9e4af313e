// What the planner's model is sent for the tools that an installation offers by default: its size, and its example.
import { checkPlan, draftSchema, isOwnerTool, normalizeDraftStep } from "@planwright/plan";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolbox } from "../services/executor/src/tools/create-toolbox.ts";
import { choosePrompt } from "../services/planner/src/drafting/choose-prompt.ts";
import type { DraftRequest } from "../services/planner/src/drafting/draft-request.ts";
import { PLAN_EXAMPLE } from "../services/planner/src/drafting/plan-prompt.ts";
import { createAllTools } from "./support/all-tools.ts";

/** With the schema of the reply: instructions, tools and a short goal. */
const TOKENS_MAX = 6_000;
const UNLISTED = ["data.dryrun", "data.apply", "flow.echo", "flow.wait"];

const all = createAllTools();
afterAll(() => all[Symbol.dispose]());
/** Also those that only a configured installation has: mail, web search, requests that change something. */
const offered = createToolbox(all.tools)
  .specs()
  .filter(({ name }) => !isOwnerTool(name) && !UNLISTED.includes(name));
const tools = new Map(offered.map((tool) => [tool.name, tool]));
const schema = draftSchema(offered, { lists: true, ties: true });

function messagesOf(strategy: DraftRequest["strategy"]) {
  const goal = "Compare the sales of the regions, and chart them.";
  const request = { goal, today: "2026-03-01", strategy, tools, constraints: [], sources: [], issues: [] };
  return choosePrompt(strategy, "json").render({ ...request, draft: 1, earlier: [] }).messages;
}

describe("the planner's prompt for all tools of an installation", () => {
  it.each(["parallel", "sequential"] as const)(
    `takes at most ${TOKENS_MAX} tokens with its schema, for the strategy %s`,
    (strategy) => {
      expect(tools.size).toBeGreaterThanOrEqual(17);
      const sent = [...messagesOf(strategy).map(({ content }) => content), JSON.stringify(schema)];
      const tokens = sent.reduce((sum, text) => sum + countTokens(text), 0);
      expect(tokens).toBeLessThanOrEqual(TOKENS_MAX);
    },
  );

  it("describes each tool once: the schema holds names and types only", () => {
    const [, user] = messagesOf("parallel");
    for (const { name, description } of offered) {
      expect(user?.content.split(`{"name":"${name}"`)).toHaveLength(2);
      expect(JSON.stringify(schema)).not.toContain(description.slice(0, 20));
    }
    expect(JSON.stringify(schema)).not.toContain('"description":"');
  });

  it("shows one whole reply, which the enforced schema takes and the check accepts", () => {
    expect(messagesOf("parallel")[0]?.content).toContain(`\n${JSON.stringify(PLAN_EXAMPLE)}\n`);
    expect(z.fromJSONSchema(schema).safeParse(PLAN_EXAMPLE).error?.issues).toBeUndefined();
    const steps = PLAN_EXAMPLE.steps.map((step) => normalizeDraftStep(step, tools));
    expect(checkPlan({ steps, answerFrom: PLAN_EXAMPLE.answerFrom }, { tools }).issues).toEqual([]);
  });
});
