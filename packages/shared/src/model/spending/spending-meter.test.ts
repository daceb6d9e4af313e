import { APIError } from "openai/error";
import { describe, expect, it } from "vitest";
import { TransientError } from "../../errors.ts";
import type { ModelClient, ModelReply, ModelRequest } from "../model-client.ts";
import { SpendingMeter } from "./spending-meter.ts";

const PRICE = { inputUsdPerMillion: 10, outputUsdPerMillion: 100 };
const signal = new AbortController().signal;
/** About 100 / 4 + 2 * 16 input tokens. */
const request: ModelRequest = {
  prompt: { name: "test.ask", version: 1 },
  messages: [{ role: "user", content: "x".repeat(100) }],
  signal,
};
const READ_MAX = 57;

const replyOf = (outputTokens: number, more: Partial<ModelReply> = {}): ModelReply => ({
  text: "text",
  finishReason: "stop",
  requestModel: "m",
  responseModel: "m",
  responseId: "r",
  usage: { inputTokens: 25, outputTokens, estimated: false, costUsd: (25 * 10 + outputTokens * 100) / 1e6 },
  ...more,
});

/** A client that records requests and returns the test's replies. */
function clientOf(answer: (request: ModelRequest) => ModelReply | Promise<ModelReply>) {
  const asked: ModelRequest[] = [];
  const client: ModelClient = {
    priceOf: (model) => (model === "unpriced" ? undefined : PRICE),
    complete: async (one) => {
      asked.push(one);
      return answer(one);
    },
  };
  return { asked, client };
}

describe("an allowance", () => {
  it("limits each call to the rest and refuses a call that does not fit (SPENDING-2)", async () => {
    const { asked, client } = clientOf(({ maxOutputTokens = 0 }) => replyOf(maxOutputTokens));
    const meter = new SpendingMeter(client, { allowance: { maxTokens: 500 } });
    await meter.model.complete({ ...request, maxOutputTokens: 200 });
    await meter.model.complete(request);
    expect(asked.map(({ maxOutputTokens, metered }) => [maxOutputTokens, metered])).toEqual([
      [200, true],
      [500 - 225 - READ_MAX, true],
    ]);
    await expect(meter.model.complete(request)).rejects.toMatchObject({ code: "allowance_spent" });
    expect(asked).toHaveLength(2);
    expect(meter.isSpent).toBe(true);
    expect(meter.report()).toEqual({ usage: expect.objectContaining({ modelCalls: 2, outputTokens: 418 }) });
  });

  it("enforces a limit in dollars by the model's price, and requires one", async () => {
    const { asked, client } = clientOf(() => replyOf(10));
    const meter = new SpendingMeter(client, { allowance: { maxUsd: 0.01 } });
    await meter.model.complete(request);
    expect(asked[0]?.maxOutputTokens).toBe(Math.floor((0.01 - READ_MAX * 0.00001) / 0.0001));
    await expect(meter.model.complete({ ...request, model: "unpriced" })).rejects.toMatchObject({
      code: "price_unknown",
    });
  });

  it("is shared by simultaneous calls: one waits for what the other holds (SPENDING-1)", async () => {
    const first = Promise.withResolvers<ModelReply>();
    const { asked, client } = clientOf(() => (asked.length === 1 ? first.promise : replyOf(5)));
    const meter = new SpendingMeter(client, { allowance: { maxTokens: 600 } });
    const both = [meter.model.complete(request), meter.model.complete(request)];
    await expect.poll(() => asked.length).toBe(1);
    first.resolve(replyOf(30));
    await Promise.all(both);
    expect(asked[1]?.maxOutputTokens).toBe(600 - 55 - READ_MAX);
  });

  it("forfeits the maximum cost of a call that broke off", async () => {
    const { client } = clientOf(() => Promise.reject(new TransientError("the model's reply broke off")));
    const meter = new SpendingMeter(client, { allowance: { maxTokens: 600 } });
    await expect(meter.model.complete({ ...request, maxOutputTokens: 100 })).rejects.toThrow("broke off");
    expect(meter.report()).toMatchObject({ forfeited: { tokens: READ_MAX + 100 }, usage: { modelCalls: 0 } });
  });

  it.each([
    ["the server refused", APIError.generate(429, undefined, "slow down", new Headers())],
    ["never reached the server", Object.assign(new Error("refused"), { code: "ECONNREFUSED" })],
  ])("forfeits nothing for a call that %s", async (_, cause) => {
    const { client } = clientOf(() => Promise.reject(new TransientError("no", { cause })));
    const meter = new SpendingMeter(client, { allowance: { maxTokens: 600 } });
    await expect(meter.model.complete(request)).rejects.toThrow("no");
    expect(meter.report()).not.toHaveProperty("forfeited");
  });

  it("forfeits the maximum cost of a call that the server has not counted", async () => {
    const usage = { inputTokens: 20, outputTokens: 10, estimated: true, costUsd: null };
    const { client } = clientOf(() => replyOf(0, { usage }));
    const meter = new SpendingMeter(client, { allowance: { maxTokens: 600 } });
    await meter.model.complete({ ...request, maxOutputTokens: 100 });
    expect(meter.report().forfeited?.tokens).toBe(READ_MAX + 100 - 30);
  });

  it("is spent when it cuts off a reply", async () => {
    const { client } = clientOf(() => replyOf(10, { finishReason: "length" }));
    const meter = new SpendingMeter(client, { allowance: { maxTokens: 600 } });
    await meter.model.complete({ ...request, maxOutputTokens: 20 });
    expect(meter.isSpent).toBe(false);
    await meter.model.complete(request);
    expect(meter.isSpent).toBe(true);
  });

  it("is not spent when it is zero, because another attempt would get no more", async () => {
    const { client } = clientOf(() => replyOf(1));
    const meter = new SpendingMeter(client, { allowance: { maxTokens: 0 } });
    await expect(meter.model.complete(request)).rejects.toMatchObject({ code: "no_allowance" });
    expect(meter.isSpent).toBe(false);
  });

  it("counts calls in flight when it is closed, and sends nothing more (SPENDING-3)", async () => {
    const { asked, client } = clientOf(() => new Promise(() => undefined));
    const meter = new SpendingMeter(client, { allowance: { maxTokens: 600 } });
    void meter.model.complete({ ...request, maxOutputTokens: 100 });
    await expect.poll(() => asked.length).toBe(1);
    meter.close();
    expect(meter.report().forfeited?.tokens).toBe(READ_MAX + 100);
    await expect(meter.model.complete(request)).rejects.toMatchObject({ code: "work_over" });
    expect(asked).toHaveLength(1);
  });
});

it("counts without a limit when there is no allowance", async () => {
  const { asked, client } = clientOf(() => replyOf(7));
  const meter = new SpendingMeter(client, {});
  await meter.model.complete(request);
  expect(asked).toEqual([request]);
  expect(meter.report()).toEqual({ usage: expect.objectContaining({ modelCalls: 1, outputTokens: 7 }) });
});
