// Examples of what plans come to know: long texts in parts, and outputs that only a processor reads.
import { expect, it } from "vitest";
import { exampleStage } from "../support/example-stage.ts";
import { sharedSystem } from "../support/shared-system.ts";

const shared = sharedSystem();
const { play, runToEnd } = exampleStage(shared);

it("hierarchical-summary: 25 calls in total, and a fact of part 10 arrives although the executor was killed", async () => {
  const request = await play("hierarchical-summary");
  const { system, model } = shared;
  await system.end("executor");
  // One at a time, and dead once the summary of the 10th part is stored: nothing is half done then.
  const doomed = await system.start("executor", {
    EXECUTOR_CONCURRENCY: "1",
    PLANWRIGHT_FAULTS: "outcome.after-publish=kill@10",
  });
  const { planId } = await system.client.submit(request);
  expect(await doomed.ended).toBe("SIGKILL");
  expect((await system.client.view(planId)).progress.done).toBe(10);
  await system.start("executor");
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", strategy: "summarize", answerFrom: "summary" });
  expect([model.count("digest"), model.count("write")]).toEqual([20, 4 + 1]);
  expect(view.usage.modelCalls).toBe(25);
  expect(view.facts).toMatchObject([{ key: "reserve_key", value: "locker 417", stepId: "chunk-10" }]);
  expect(view.answer?.text).toContain("locker 417");
  // Only the ledger had it: no summary did.
  const asked = textOf(model.calls("write").at(-1)?.request);
  expect(asked.slice(asked.lastIndexOf("<context>"))).not.toContain("417");
});

it("controller-processor: the raw output is an artifact that no controller sees", async () => {
  const request = await play("controller-processor");
  const view = await runToEnd(request);
  const { client } = shared.system;
  expect(view).toMatchObject({
    status: "succeeded",
    revision: 1,
    facts: [
      { key: "warranty_document", value: "returns-and-warranty.md", confidence: 0.9, stepId: "search" },
    ],
  });
  const search = view.steps.find(({ id }) => id === "search");
  const artifact = "outputs/search-0-1.json";
  expect(search?.output).toMatchObject({ artifact: { name: artifact } });
  expect(view.facts[0]?.artifact).toBe(artifact);
  expect(view.revisions).toMatchObject([
    { cause: "requires_replan", causedBy: "search", added: ["read", "explain"] },
  ]);
  expect(view.answer?.text).toBe("The warranty of a tent is 5 years, by returns-and-warranty.md.");
  const raw = await (await client.fetch(`/v1/plans/${view.planId}/artifacts/${artifact}`)).text();
  const { hits } = JSON.parse(raw) as { hits: { snippet: string }[] };
  // What stands further down than the payload shows.
  const deep = hits.at(-1)?.snippet.slice(0, 40) ?? "";
  expect(deep).not.toBe("");
  const seenBy = (role: string) => shared.model.calls(role).map(({ request: asked }) => textOf(asked));
  expect(seenBy("state_patch").join()).toContain(deep);
  const controller = [...seenBy("plan"), ...seenBy("judgement")];
  expect(controller).toHaveLength(2);
  expect(controller.join()).not.toContain(deep);
  expect(controller[1]).toContain("warranty_document");
  const page = await (await client.fetch(`/v1/plans/${view.planId}/continuity.md`)).text();
  expect(page).toContain(
    "| warranty\\_document | returns-and-warranty.md | 0.9 | `search`, artifact `outputs/search-0-1.json`",
  );
});

/** The words of a request, as the model reads them. */
function textOf(request: unknown): string {
  const { messages } = request as { messages: { content: string }[] };
  return messages.map(({ content }) => content).join("\n");
}

/** Gives the model the replies of an example, and answers what to submit. */
