import { type Answer, PlanId } from "@planwright/plan";
import { expect, it } from "vitest";
import { keepLargeAnswer } from "./synthesize-answer.ts";

const work = { planId: PlanId.parse("p1"), join: 2 };
const answer: Answer = { text: "short", status: "success", sources: [], artifacts: [] };

/** An artifact store in memory. */
function artifacts() {
  const stored = new Map<string, string>();
  return {
    stored,
    put: (_planId: PlanId, name: string, content: Uint8Array, contentType: string) => {
      stored.set(name, Buffer.from(content).toString());
      return Promise.resolve({ name, contentType, bytes: content.byteLength });
    },
  };
}

it("leaves a small answer unchanged", async () => {
  const store = artifacts();
  const small = { ...answer, data: [1] };
  expect(await keepLargeAnswer(store, work, small)).toEqual(small);
  expect(store.stored.size).toBe(0);
});

it("moves only the data when the text is small", async () => {
  const store = artifacts();
  const data = Array.from({ length: 100 }, (_, index) => index);
  const kept = await keepLargeAnswer(store, work, { ...answer, data }, { bytesMax: 200 });
  expect(kept).toEqual({
    ...answer,
    text: "short\n\nThe data of the answer is the file answer-2.json.",
    artifacts: [
      { name: "answer-2.json", contentType: "application/json", bytes: JSON.stringify(data).length },
    ],
  });
  expect(JSON.parse(store.stored.get("answer-2.json") ?? "")).toEqual(data);
});

it("moves a text that exceeds the limit in bytes, and keeps its start", async () => {
  const store = artifacts();
  const text = "ü".repeat(3_000);
  const kept = await keepLargeAnswer(store, work, { ...answer, text }, { bytesMax: 5_000 });
  expect(kept.text).toBe(`${"ü".repeat(2_000)}…\n\nThe whole answer is the file answer-2.md.`);
  expect(store.stored.get("answer-2.md")).toBe(text);
  expect(kept.artifacts.map(({ name, bytes }) => [name, bytes])).toEqual([["answer-2.md", 6_000]]);
});
