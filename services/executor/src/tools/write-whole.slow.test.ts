// Texts longer than one reply, over real HTTP: they are complete, or marked as truncated.
import { createModelClient, SpendingMeter } from "@planwright/shared/model";
import { type ScriptedCall, type ScriptedReply, startScriptedModel } from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modelWrite, CONTINUATIONS_MAX } from "./model-write.ts";
import { testContext } from "./testing/test-context.ts";

const TEXT = "Sales rose to 42 units.\n\n- North: 30 units\n- South: 12 units\n\nThe rest is unknown.";

let model: Awaited<ReturnType<typeof startScriptedModel>>;
beforeAll(async () => void (model = await startScriptedModel({})));
afterAll(() => model[Symbol.asyncDispose]());

/** The text so far, according to the conversation. */
function writtenOf({ request }: ScriptedCall): string {
  const content = request.messages.findLast(({ role }) => role === "assistant")?.content;
  return typeof content === "string" ? content : "";
}

/** Writes the text in replies of at most this many characters, each continuing where the conversation ends. */
const limitedTo =
  (chars: number): ScriptedReply =>
  (call) => {
    const rest = TEXT.slice(writtenOf(call).length);
    return rest.length <= chars ? { text: rest } : { text: rest.slice(0, chars), finishReason: "length" };
  };

async function written(
  reply: ScriptedReply | readonly ScriptedReply[],
  { maxTokens, ...args }: { readonly maxTokens?: number; readonly keepFacts?: boolean } = {},
) {
  model.play({ write: reply, digest: reply });
  let truncated = false;
  const client = createModelClient({ baseUrl: model.url, apiKey: "k", model: "m", role: "executor" });
  const meter = new SpendingMeter(client, maxTokens === undefined ? {} : { allowance: { maxTokens } });
  const context = testContext({ model: meter.model, noteTruncated: () => void (truncated = true) });
  const output = await modelWrite().run({ prompt: "Write.", ...args }, context);
  return { output, truncated };
}

describe("a text that is longer than one reply", () => {
  it("is continued until it is whole, or marked as truncated, wherever it is cut", async () => {
    let whole = 0;
    for (let chars = 1; chars <= TEXT.length; chars++) {
      const { output, truncated } = await written(limitedTo(chars));
      const { text } = output as { text: string };
      expect(truncated, `${chars} characters a reply`).toBe(text !== TEXT);
      expect(output).toEqual(truncated ? { text, truncated: true } : { text });
      expect(TEXT.startsWith(text)).toBe(true);
      expect(model.count("write")).toBeLessThanOrEqual(1 + CONTINUATIONS_MAX);
      if (!truncated) whole += 1;
    }
    // With replies of at least a fourth of the text, whatever is lost at the cuts.
    expect(whole).toBeGreaterThan(TEXT.length * 0.6);
  });

  it("ends early when the budget has nothing left for a continuation, and reports that", async () => {
    const usage = { inputTokens: 4_900, outputTokens: 100 };
    const first = { text: TEXT.slice(0, 30), finishReason: "length", usage } as const;
    const { output, truncated } = await written([first, { text: "the rest" }], { maxTokens: 5_000 });
    expect([output, truncated]).toEqual([{ text: TEXT.slice(0, 30), truncated: true }, true]);
    expect(model.count("write")).toBe(1);
  });

  it.each<[string, ScriptedReply]>([
    ["declines to continue", { refusal: "No." }],
    ["adds nothing", { text: "" }],
    ["refuses the request", { status: 400 }],
  ])("ends early when the model %s", async (_what, second) => {
    const first = { text: TEXT.slice(0, 30), finishReason: "length" } as const;
    const { output, truncated } = await written([first, second]);
    expect([output, truncated]).toEqual([{ text: TEXT.slice(0, 30), truncated: true }, true]);
  });
});

describe("a text with its facts that is cut off", () => {
  const facts = [{ key: "sales", value: 42, confidence: 0.9 }];
  const whole = JSON.stringify({ text: TEXT, facts });

  it("is requested again with a larger limit", async () => {
    const first = { text: whole.slice(0, 40), finishReason: "length" } as const;
    const { output, truncated } = await written([first, { text: whole }], { keepFacts: true });
    expect([output, truncated]).toEqual([{ text: TEXT, facts }, false]);
    const [, second] = model.calls("digest");
    expect(second?.request).toMatchObject({ max_tokens: 4_096 });
  });

  it("is never its JSON, nor part of it as the whole, when it is cut off again", async () => {
    for (let at = 12; at < whole.length; at++) {
      const { output, truncated } = await written(
        { text: whole.slice(0, at), finishReason: "length" },
        { keepFacts: true },
      ).catch(() => ({ output: { text: "" }, truncated: true }));
      const { text } = output as { text: string };
      expect(truncated, `cut at ${at}`).toBe(true);
      expect(TEXT.startsWith(text), `cut at ${at}: ${text}`).toBe(true);
    }
  });
});
