// The reflector against a real nats-server and a scripted model: what a plan's log says after a join.
import { judgementText } from "@planwright/testkit";
import { expect, it } from "vitest";
import { startJoinBench } from "./support/join-bench.ts";

const value = (output: unknown) => ({ output: { value: output as never } });

it("answers from the results, with their sources, and what it cost", async () => {
  await using bench = await startJoinBench({
    judgement: judgementText({ text: "a says 1, b says 2", sources: ["a", "b", "zzz"], data: { a: 1 } }),
  });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled(
    "p1",
    { a: value({ n: 1 }), b: value("two") },
    { constraints: ["be brief"] },
  );
  await bench.dispatch(planId);
  const { type, data } = await bench.outcome(planId);
  expect([type, data.join, data.usage?.modelCalls]).toEqual(["answer.given", 1, 1]);
  expect(data.answer).toEqual({
    text: "a says 1, b says 2",
    status: "success",
    data: { a: 1 },
    sources: ["a", "b"],
    artifacts: [],
  });
  expect((await bench.plan(planId)).conclusion?.outcome).toBe("succeeded");
  const [call] = bench.model.calls("judgement");
  const request = JSON.stringify(call?.request);
  for (const shown of [
    "what do a and b say?",
    "be brief",
    "find a",
    '\\"output\\":{\\"n\\":1}',
    "<revisions_left>\\n3",
  ]) {
    expect(request).toContain(shown);
  }
});
