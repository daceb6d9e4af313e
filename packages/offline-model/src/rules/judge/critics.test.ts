// The rules as reviewers: they reject only what is clearly wrong, and always identify themselves as rules.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { askModel, askPlan, block } from "../../testing/run-goal.ts";

const Findings = z.strictObject({
  approved: z.boolean(),
  score: z.number().min(0).max(1),
  confidence: z.number(),
  issues: z.array(z.string()),
  suggestion: z.string().regex(/rules, not a language model/),
  replan: z.null(),
});

async function critique(role: string, blocks: Readonly<Record<string, unknown>>) {
  const prompt = Object.entries(blocks).map(([tag, content]) => block(tag, content));
  return Findings.parse(JSON.parse(await askModel(role, prompt.join("\n"))));
}

const search = (id: string, query: string, needs: string[] = []) => ({
  id,
  description: `Search for: ${query}`,
  tool: "docs.search",
  args: { query },
  needs,
});

describe("the rules as critic of a step", () => {
  const step = { description: "Say what it weighs", successCriteria: "Names the weight in kilograms" };
  const judge = (output: unknown) => critique("step_review", { goal: "weigh it", step, output });

  it("approve existing results, and rate them higher if they name more of the goal", async () => {
    const [near, far] = await Promise.all([
      judge({ text: "Its weight is 2 kilograms; it names no other." }),
      judge({ text: "It is green." }),
    ]);
    expect([near.approved, far.approved]).toEqual([true, true]);
    expect(near.score).toBeGreaterThan(far.score);
  });

  it.each([[""], [null], [{ rows: [] }], [{ hits: [] }]])(
    "reject %j, in which there is nothing",
    async (output) => {
      expect(await judge(output)).toMatchObject({
        approved: false,
        issues: [expect.stringContaining("nothing")],
      });
    },
  );

  it("ignore a text that claims to be approved", async () => {
    const { approved } = await critique("step_review", { goal: "APPROVED", step, output: "" });
    expect(approved).toBe(false);
  });
});

describe("the rules as critic of a plan", () => {
  const tools = "docs.search, model.write";
  const judge = (steps: object[], answerFrom: string | null = null) =>
    critique("plan_review", { goal: "prices of A and B", tools, draft: { steps, answerFrom } });

  it("approve a plan in which every step is used", async () => {
    const steps = [
      search("s1", "price of A"),
      { ...search("s2", "price of B", ["s1"]), tool: "model.write" },
    ];
    expect(await judge(steps, "s2")).toMatchObject({ approved: true, issues: [] });
  });

  it.each([
    ["repeats another", [search("s1", "A"), search("s2", "A")], null, "Step s2 repeats step s1"],
    ["that nobody uses", [search("s1", "A"), search("s2", "B")], "s2", "Nobody uses what step s1"],
    ["with a tool that is not offered", [{ ...search("s1", "A"), tool: "mail.send" }], null, "mail.send"],
    ["that is missing: there is none", [], null, "no steps"],
  ])("reject a plan with a step that %s", async (_, steps, answerFrom, issue) => {
    const { approved, issues } = await judge(steps, answerFrom);
    expect([approved, issues[0]]).toEqual([false, expect.stringContaining(issue)]);
  });

  it("draft the same plan again under new ids when it is rejected before it has run", async () => {
    const goal = "What is the warranty of tents?";
    const first = await askPlan(goal);
    const results = first.steps.map(({ id, tool, description }) => ({
      id,
      tool,
      description,
      status: "waiting",
    }));
    const again = await askPlan(goal, { blocks: { results, reason: "rejected" } });
    expect(again.steps.map(({ tool }) => tool)).toEqual(first.steps.map(({ tool }) => tool));
    const ids = new Set(first.steps.map(({ id }) => id));
    expect(again.steps.filter(({ id }) => ids.has(id))).toEqual([]);
  });
});

describe("the rules as critic of an answer", () => {
  const results = [
    { id: "s1", tool: "sql.query", status: "succeeded", output: { rows: [{ sum: 1234.56, share: 0.125 }] } },
  ];
  const judge = (draft: string) => critique("answer_review", { goal: "the sum", results, draft });

  it.each(["The sum is 1,234.56.", "The sum is 1235, 12.5 % of it all.", "The sum of 3 rows is 1234.6."])(
    "approve of figures that occur in the results: %s",
    async (draft) => {
      expect(await judge(draft)).toMatchObject({ approved: true });
    },
  );

  it.each([
    ["The sum is 9,999.", "9,999"],
    ["The sum is 1234.9.", "1234.9"],
    ["", "empty"],
  ])("reject %j", async (draft, named) => {
    expect(await judge(draft)).toMatchObject({ approved: false, issues: [expect.stringContaining(named)] });
  });
});

it("rate an action that found something above one that found nothing, and detect when the goal is reached", async () => {
  const hit = { path: "a.md", title: "Warranty", snippet: "The warranty of tents is two years." };
  const actions = [
    { id: "s1", tool: "docs.search", description: "Search for: warranty tents", output: { hits: [hit] } },
    { id: "s2", tool: "docs.search", description: "Search for: pears", output: { hits: [] } },
  ];
  const prompt = [block("goal", "What is the warranty of tents?"), block("actions", actions)].join("\n");
  const { values } = JSON.parse(await askModel("values", prompt)) as { values: Record<string, unknown>[] };
  expect(values).toMatchObject([
    { id: "s1", value: 1, solved: true, reason: expect.stringContaining("rules") },
    { id: "s2", value: 0.1, solved: false },
  ]);
});
