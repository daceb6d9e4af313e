/** Plans of the examples that have their own tab on the page. */
import { loadExample } from "@planwright/testkit";
import { planPage, shell } from "./page-asks.ts";
import { type Scenario, until } from "./scenario.ts";

/** A tree search, and its state at each earlier event. */
const searched: Scenario = async (recorder, { model }) => {
  const { client } = recorder;
  const { script, request } = await loadExample("tree-search-24");
  model.play(script ?? {});
  const { planId } = await client.submit(request);
  recorder.name("searched", planId);
  const { seq } = await client.ended(planId);
  const past = [1, Math.ceil(seq / 2)].map((at) => `/v1/plans/${planId}?seq=${at}`);
  await recorder.get(...shell(), ...(await planPage(client, planId)), ...past);
};

/** Text that would run as a script if it were rendered as HTML. */
const HOSTILE = '<img src=x onerror="window.pwned=1">';

/** A program whose changes conflict with a sale, its second version, and programs that call a tool and fail. */
const programs: Scenario = async (recorder, { model, store }) => {
  const { client } = recorder;
  const { script, request } = await loadExample("sunglasses-store");
  const [first] = [script?.["write"] ?? []].flat();
  if (typeof first !== "string") throw new Error("the store's program is not a text");
  const second = first.replace("// 1) Parse what", "// Again, as the rows are now.\n// 1) Parse what");
  model.play({ write: [first, second] });
  const { planId } = await client.submit({ ...request, maxReplans: 1 });
  recorder.name("bought", planId);
  const plan = `/v1/plans/${planId}`;
  const approve = async (): Promise<void> => {
    const { approvals, seq } = await client.view(planId);
    const decided = approvals.at(-1)?.approvalId;
    await recorder.post(`${plan}/approvals/${decided}`, { decision: "approve" });
    await until(async () => {
      const view = await client.view(planId);
      return view.ended || view.approvals.at(-1)?.approvalId !== decided;
    });
    await recorder.get(...shell(), ...(await planPage(client, planId)), `${plan}/events?after=${seq}`);
  };
  await until(async () => (await client.view(planId)).approvals.length === 1);
  await recorder.get(...shell(), ...(await planPage(client, planId)));
  store.sellClassicUntil(4);
  await approve();
  await approve();
  await recordCalls(recorder);
};

async function recordCalls(recorder: Parameters<Scenario>[0]): Promise<void> {
  const { client } = recorder;
  const code = `console.log(${JSON.stringify(HOSTILE)});\nreturn tools.math.evaluate({ expression: "2 + 3" });`;
  const args = { language: "javascript", code, tools: ["math.evaluate"] };
  const wrong = { language: "python", code: "x = 1\ny = x['a']" };
  const steps = [
    { id: "calls", tool: "code.run", args },
    { id: "wrong", tool: "code.run", args: wrong, retry: { maxAttempts: 1 } },
  ];
  const { planId } = await client.submit({ goal: "call a tool", plan: { steps } });
  recorder.name("calls", planId);
  await client.ended(planId);
  await recorder.get(...(await planPage(client, planId)));
}

export const EXAMPLE_PLANS: Readonly<Record<string, Scenario>> = { searched, programs };
