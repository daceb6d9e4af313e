// What the planner's model is sent for the tools that an installation offers by default: its size, and its example.
import {
  checkPlan,
  draftSchema,
  isOwnerTool,
  normalizeDraftStep,
  OWNER_TOOLS,
  PLAN_RUN,
  type StepEntry,
} from "@planwright/plan";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolbox } from "../services/executor/src/tools/create-toolbox.ts";
import type { DraftFormat, DraftRequest } from "../services/planner/src/drafting/draft-request.ts";
import { promptIn } from "../services/planner/src/drafting/draft-with-model.ts";
import { PLAN_EXAMPLE } from "../services/planner/src/drafting/plan-prompt.ts";
import { programPrompt, type ProgramRequest } from "../services/planner/src/drafting/program-prompt.ts";
import { STRATEGIES } from "../services/planner/src/drafting/strategies.ts";
import { createAllTools } from "./support/all-tools.ts";

/** With the schema of the reply: instructions, tools and a short goal. */
const TOKENS_MAX = 6_000;
/** What is left of it for the descriptions of tools, which change more often; not where everything is asked for. */
const USUAL_TOKENS_MAX = 5_800;
/** The documented size of a request may be off by so much. */
const TOKENS_OFF_MAX = 150;
const UNLISTED = ["data.dryrun", "data.apply", "flow.echo", "flow.wait"];

const all = createAllTools();
afterAll(() => all[Symbol.dispose]());
/** Also those that only a configured installation has: mail, web search, requests that change something. */
const offered = createToolbox(all.tools)
  .specs()
  .filter(({ name }) => !isOwnerTool(name) && !UNLISTED.includes(name));
const withSubPlans = [...offered, ...OWNER_TOOLS.filter(({ name }) => name === PLAN_RUN)];
const schema = draftSchema(offered, { lists: true, ties: true });

type Asked = Partial<DraftRequest> & { readonly strategy: DraftRequest["strategy"] };

function requestOf({ strategy, ...more }: Asked): DraftRequest {
  const specs = strategy === "hierarchical" ? withSubPlans : offered;
  const tools = new Map(specs.map((tool) => [tool.name, tool]));
  const goal = "Compare the sales of the regions, and chart them.";
  const request = { goal, today: "2026-03-01", strategy, tools, constraints: [], sources: [], issues: [] };
  return { ...request, draft: 1, earlier: [], ...more };
}

function messagesOf(asked: Asked, format: DraftFormat = "json") {
  return promptIn(STRATEGIES[asked.strategy].form, format).render(requestOf(asked)).messages;
}

/** Of everything that is sent: the messages, and the schema where there is one. */
function tokensOf(asked: Asked, format: DraftFormat = "json"): number {
  const { strategy, tools, asksConfidence, asksReview } = requestOf(asked);
  const isPlan = STRATEGIES[strategy].form.isFlat !== true;
  const options = { lists: isPlan, ties: isPlan, confidence: asksConfidence, review: asksReview };
  const sent = messagesOf(asked, format).map(({ content }) => content);
  if (format === "json" || !isPlan) sent.push(JSON.stringify(draftSchema(tools.values(), options)));
  return sent.reduce((sum, text) => sum + countTokens(text), 0);
}

const strategies = ["parallel", "sequential", "hierarchical", "waves", "tree-search"] as const;
/** Of an earlier step only what is shown of it matters here. */
const failed = {
  step: { id: "s1", description: "Total per region", tool: "sql.query" },
  state: { status: "failed", error: { code: "sql_error", message: "no such column: region" } },
  position: 0,
  dependents: [],
} as unknown as StepEntry;
const issue = {
  code: "unknown_tool",
  stepId: "s1",
  field: "tool",
  message: "there is no tool sql.find",
};
const source: ProgramRequest["source"] = {
  name: "sales",
  kind: "csv",
  files: [],
  tables: [{ name: "orders", rows: 2, columns: [{ name: "region", type: "text", samples: ["north"] }] }],
};

/** Every kind of request that asks a model for steps, as `docs/prompts.md` lists them. */
const REQUESTS: readonly (readonly [name: string, tokens: number])[] = [
  ...strategies.map((strategy) => [strategy, tokensOf({ strategy })] as const),
  ["revision", tokensOf({ strategy: "parallel", earlier: [failed], reason: "The column is missing." })],
  ["repair of a draft", tokensOf({ strategy: "parallel", issues: [issue] })],
  ["next wave", tokensOf({ strategy: "waves", earlier: [failed], reason: "The wave has ended." })],
  ["code", countProgram()],
  ["lines", tokensOf({ strategy: "parallel" }, "lines")],
];
const WITH_EVERYTHING = strategies.map(
  (strategy) =>
    [
      strategy,
      tokensOf({
        strategy,
        asksConfidence: true,
        asksReview: true,
        size: { bounds: { min: 3, max: 12 }, done: new Set() },
      }),
    ] as const,
);

function countProgram(): number {
  const request = { ...requestOf({ strategy: "code" }), language: "javascript", source } as const;
  const { messages } = programPrompt.render(request);
  return messages.reduce((sum, { content }) => sum + countTokens(content), 0);
}

describe("the planner's prompt for all tools of an installation", () => {
  it("is measured with at least 17 tools", () => expect(offered.length).toBeGreaterThanOrEqual(17));

  it.each(REQUESTS)(`takes at most ${USUAL_TOKENS_MAX} tokens with its schema: %s`, (_name, tokens) => {
    expect(tokens).toBeLessThanOrEqual(USUAL_TOKENS_MAX);
  });

  it.each(WITH_EVERYTHING)(
    `takes at most ${TOKENS_MAX} tokens with reviews, confidence and a plan size: %s`,
    (_name, tokens) => expect(tokens).toBeLessThanOrEqual(TOKENS_MAX),
  );

  it("has the documented size", async () => {
    const docs = await readFile("docs/prompts.md", "utf8");
    const documented = Array.from(
      docs.matchAll(/^\| ([\w -]+) \| ([\d,]+) \|/gm),
      ([, name, tokens = ""]) => [name, Number(tokens.replaceAll(",", ""))],
    );
    expect(documented.map(([name]) => name)).toEqual(REQUESTS.map(([name]) => name));
    for (const [name, tokens] of REQUESTS) {
      const said = Number(new Map(documented as [string, number][]).get(name));
      expect(Math.abs(said - tokens), `${name}: ${tokens} tokens`).toBeLessThanOrEqual(TOKENS_OFF_MAX);
    }
  });

  it("describes revisions and repairs only where there is something to revise or repair", () => {
    const user = (more: Partial<DraftRequest>) => messagesOf({ strategy: "parallel", ...more })[1]?.content;
    const rules = ["Refer to a succeeded step by its id", "Plan only what is missing", "without them"];
    for (const rule of rules) expect(user({})).not.toContain(rule);
    const whole = user({ earlier: [failed], reason: "r", issues: [issue] });
    for (const rule of rules) expect(whole).toContain(rule);
    const [system] = messagesOf({ strategy: "parallel" });
    expect(messagesOf({ strategy: "parallel", earlier: [failed], reason: "r" })[0]).toEqual(system);
  });

  it("describes each tool once: the schema holds names and types only", () => {
    const [, user] = messagesOf({ strategy: "parallel" });
    for (const { name, description } of offered) {
      expect(user?.content.split(`{"name":"${name}"`)).toHaveLength(2);
      expect(JSON.stringify(schema)).not.toContain(description.slice(0, 20));
    }
    expect(JSON.stringify(schema)).not.toContain('"description":"');
  });

  it("shows one whole reply, which the enforced schema takes and the check accepts", () => {
    expect(messagesOf({ strategy: "parallel" })[0]?.content).toContain(`\n${JSON.stringify(PLAN_EXAMPLE)}\n`);
    const reading = draftSchema(
      offered.filter(({ effect }) => effect === "read"),
      { lists: true, ties: true },
    );
    for (const one of [schema, reading]) {
      expect(z.fromJSONSchema(one).safeParse(PLAN_EXAMPLE).error?.issues).toBeUndefined();
    }
    const { tools } = requestOf({ strategy: "parallel" });
    const steps = PLAN_EXAMPLE.steps.map((step) => normalizeDraftStep(step, tools));
    expect(checkPlan({ steps, answerFrom: PLAN_EXAMPLE.answerFrom }, { tools }).issues).toEqual([]);
  });
});
