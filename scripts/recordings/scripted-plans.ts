/** Plans of a scripted model. */
import { JsonObject } from "@planwright/plan";
import { echo, judgementText, planPieces, type SystemClient } from "@planwright/testkit";
import { planPage, shell } from "./page-asks.ts";
import { type Scenario, until, untilTraced } from "./scenario.ts";

const ROWS = [
  { region: "North", shops: 2 },
  { region: "South", shops: 3 },
  { region: "West", shops: "many" },
];
const turn = (thought: string, tool: string | null, args: object, result: string | null = null) =>
  JSON.stringify({
    thought,
    tool,
    argsJson: JSON.stringify(args),
    result,
    requiresReplan: false,
    reason: null,
  });

/** The page initially shows 50. */
const ITEMS = 60;

const INNER = {
  steps: [
    {
      id: "deep",
      tool: "plan.run",
      args: { goal: "deeper", plan: { steps: [echo("leaf", { value: "found" })] } },
    },
  ],
};

function everyKindOfStep(sendTo: string) {
  return [
    echo("rows", { value: ROWS, description: "Read the shops" }),
    {
      id: "slow",
      tool: "flow.wait",
      args: { ms: 9_000 },
      timeoutMs: 150,
      retry: { maxAttempts: 2, backoffMs: 50 },
    },
    {
      id: "each",
      tool: "math.evaluate",
      forEach: { $ref: "rows.output" },
      args: { expression: "10 / shops", variables: { shops: { $ref: "item.shops" } } },
    },
    { id: "csv", tool: "files.write", args: { path: "shops.csv", content: "region,shops\nNorth,2\n" } },
    { id: "words", tool: "model.write", args: { prompt: "Sum up {{rows.output[0].region}}" } },
    { id: "loop", tool: "agent.react", args: { goal: "count them", tools: ["math.evaluate"] } },
    { id: "inner", tool: "plan.run", args: { goal: "look closer", plan: INNER } },
    {
      id: "send",
      tool: "http.send",
      args: { url: sendTo, body: { text: { $ref: "words.output.text" } } },
      dependsOn: ["each", "loop", "inner", "csv"],
    },
  ];
}

/** A plan with a step of each kind: items, turns, attempts, an effect, a file, nested sub-plans. */
const steps: Scenario = async (recorder, { model, effects }) => {
  const { client } = recorder;
  model.play({
    write: "# Sum\n\nNorth has **2** shops.",
    react_turn: [
      turn("I count them", "math.evaluate", { expression: "2 + 3" }),
      JSON.stringify({
        thought: "and I add more",
        calls: ["1 + 40", "2 +"].map((expression) => ({ tool: "math.evaluate", args: { expression } })),
      }),
      turn("that is all", null, {}, "5 shops"),
    ],
  });
  const { planId } = await client.submit({
    goal: "tell how many shops there are",
    plan: { steps: everyKindOfStep(effects.url("deduping")), answerFrom: "words" },
    approval: { risk: "high" },
  });
  recorder.name("steps", planId);
  await until(async () => (await client.view(planId)).approvals.length === 1);
  const plan = `/v1/plans/${planId}`;
  await recorder.get(...shell(), ...(await planPage(client, planId)));
  const edits = { url: effects.url("deduping"), body: { text: "two" }, rejectsRepeats: true };
  await recorder.post(`${plan}/approvals/risk-send-0`, { decision: "approve", edits, reason: "shorter" });
  await client.ended(planId);
  await untilTraced(client, planId, "execute_tool http.send");
  const inner = await childOf(client, planId);
  const deep = await childOf(client, inner);
  recorder.name("inner", inner);
  recorder.name("deep", deep);
  await recorder.get(
    ...shell(),
    ...(await Promise.all([planId, inner, deep].map((one) => planPage(client, one)))).flat(),
    `${plan}/artifacts/files/shops.csv`,
  );
};

async function childOf(client: SystemClient, planId: string): Promise<string> {
  const [child] = (await client.view(planId)).steps.flatMap((step) => step.child ?? []);
  if (child === undefined) throw new Error(`the plan ${planId} has no sub-plan`);
  return child;
}

/** A plan in which a reviewer replaced a short argument by a long one. */
const rewritten: Scenario = async (recorder) => {
  const { client } = recorder;
  const last = echo("b", { value: { $ref: "a.output" }, dependsOn: ["a"] });
  const { planId } = await client.submit({
    goal: "show something long",
    plan: { steps: [echo("a", { value: "short" }), last], answerFrom: "b" },
    approval: { plan: true },
  });
  recorder.name("rewritten", planId);
  await until(async () => (await client.view(planId)).approvals.length === 1);
  const edited = { steps: [echo("a", { value: "x".repeat(5_000) }), last], answerFrom: "b" };
  await client.api.plans.approvals.approve(planId, "plan-0", { edits: JsonObject.parse(edited) });
  await client.ended(planId);
  await recorder.get(...shell(), ...(await planPage(client, planId)));
};

/** A plan that was revised once, with facts and open questions. */
const revised: Scenario = async (recorder, { model }) => {
  const { client } = recorder;
  const old = [
    echo("look", { value: "12 shops", description: "Look at the list" }),
    { id: "fail", tool: "files.read", description: "Read the rest", args: { path: "gone.csv" } },
  ];
  const next = [
    echo("fail", { value: "the rest", description: "Read the rest" }),
    echo("end", { value: "{{fail.output}} of {{look.output}}" }),
  ];
  model.play({
    plan: [() => planPieces({ steps: old }), () => planPieces({ steps: next, answerFrom: "end" })],
    judgement: () =>
      judgementText({ decision: "revise", reason: "the rest is missing", text: "half", sources: ["look"] }),
    state_patch: ({ number }) =>
      JSON.stringify({
        facts: [{ key: "Shops", value: number === 1 ? "12" : "13", confidence: 0.9, source: "line 1" }],
        openQuestions: number === 1 ? ["Who owns them?"] : [],
        answeredQuestions: [],
        replacePlan: null,
      }),
  });
  const { planId } = await client.submit({
    goal: "count the shops in the documents",
    facts: "all",
    budget: { usd: 500, tokens: 100_000 },
  });
  recorder.name("revised", planId);
  await client.ended(planId);
  await recorder.get(...shell(), ...(await planPage(client, planId)), `/v1/plans/${planId}/continuity.md`);
};

/** Text that would run as a script if it were rendered as HTML. */
const HOSTILE = '<img src=x onerror="window.pwned=1">';

/** A plan, and its fork with one changed argument. */
const forked: Scenario = async (recorder) => {
  const { client } = recorder;
  const goal = "Greet Ann, as it fits the time of day";
  const greeting = [
    echo("who", { value: "Ann", description: "Say who" }),
    echo("hello", { value: "Good morning, Ann, and welcome" }),
    echo("end", { value: HOSTILE, description: HOSTILE, dependsOn: ["hello"] }),
  ];
  const { planId: origin } = await client.submit({ goal, plan: { steps: greeting, answerFrom: "hello" } });
  await client.ended(origin);
  const { planId: fork } = await client.api.plans.fork(origin, {
    fromStep: "hello",
    edits: { value: "Good evening, Ann, and welcome" },
  });
  await client.ended(fork);
  recorder.name("origin", origin);
  recorder.name("fork", fork);
  const searches = ["", goal, "no words of any plan", origin].map((q) => {
    const query = new URLSearchParams({ q, limit: "20" });
    return `/v1/plans?${query.toString()}`;
  });
  await recorder.get(
    ...shell(),
    ...searches,
    ...(await planPage(client, origin)),
    ...(await planPage(client, fork)),
    "/v1/plans/no-such-plan",
  );
};

/** A step with more items than the page initially shows, and one with turns. */
const places: Scenario = async (recorder, { model }) => {
  const { client } = recorder;
  model.play({
    react_turn: [
      turn("first I add", "math.evaluate", { expression: "2 + 3" }),
      turn("then I double", "math.evaluate", { expression: "5 * 2" }),
      turn("that is all", null, {}, "10"),
    ],
  });
  const list = Array.from({ length: ITEMS }, (_, index) => `value ${index}`);
  const { planId } = await client.submit({
    goal: "many items",
    plan: {
      steps: [
        echo("start", { value: list }),
        echo("each", { value: { $ref: "item" }, forEach: { $ref: "start.output" } }),
        { id: "loop", tool: "agent.react", args: { goal: "count", tools: ["math.evaluate"] } },
      ],
      answerFrom: "start",
    },
  });
  recorder.name("places", planId);
  await client.ended(planId);
  await recorder.get(...shell(), ...(await planPage(client, planId)));
};

export const SCRIPTED_PLANS: Readonly<Record<string, Scenario>> = {
  steps,
  rewritten,
  revised,
  forked,
  places,
};
