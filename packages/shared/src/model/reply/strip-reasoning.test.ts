import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReasoningFilter, JSON_BEGINS, type ReplyForm, stripReasoning } from "./strip-reasoning.ts";

const TEXT: ReplyForm = { unopened: false };
const JSON_REPLY: ReplyForm = { begins: JSON_BEGINS, unopened: false };
const UNOPENED: ReplyForm = { unopened: true };
const PLAN = '{"steps": [{"id": "s1"}]}';

describe("a reply's reasoning", () => {
  it.each([
    ["<think>Let me see {a}.</think>\n\n4"],
    ["\n<THINK>\nshort\n</THINK>4"],
    ["<thinking>no <think> here</thinking>\n4"],
    ["<reasoning>a</reasoning> 4"],
    ["◁think▷a◁/think▷4"],
    ["[THINK]a[/THINK]4"],
    ["<think></think><think>again</think>\n4"],
    ["<|channel|>analysis<|message|>2 + 2<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>"],
    ["<|start|>assistant<|channel|>final <|constrain|>text<|message|>4"],
  ])("is removed from %j", (reply) => {
    expect(stripReasoning(reply, TEXT)).toEqual({ text: "4", reasoning: "removed" });
    expect(stripReasoning(reply, JSON_REPLY)).toEqual({ text: "4", reasoning: "removed" });
  });

  it.each([
    ["Let me see.\n</think>\n\n4", TEXT],
    ["Let me see {a}. It is 4.</think>4", JSON_REPLY],
    ["a </think> 4", UNOPENED],
  ])("is removed without its opening tag from %j", (reply, form) => {
    expect(stripReasoning(reply, form)).toEqual({ text: "4", reasoning: "unopened" });
  });

  it.each([
    "Models close their reasoning with </think> at the end.",
    "```html\n<p>\n</think>\n```",
    "First `<think>`, then\n</think>\nThat is all.",
    "The tag <think> opens it. 4",
    "< 5",
    "",
    "   ",
    "<thin",
  ])("is not found in %j (REASON-2)", (reply) => {
    expect(stripReasoning(reply, TEXT)).toEqual({ text: reply, reasoning: "none" });
  });

  it.each([
    PLAN,
    `\`\`\`json\n${PLAN}\n\`\`\``,
    `Here it is:\n${PLAN}`,
    '{"text": "a</think>b"}',
    "s1: none",
  ])("is not found in JSON, whatever its texts contain: %j (REASON-2)", (reply) => {
    expect(stripReasoning(reply, JSON_REPLY)).toEqual({ text: reply, reasoning: "none" });
  });

  it.each(["<think>I should", "<|channel|>analysis<|message|>I should", "<think>a</thin"])(
    "leaves no answer when it never ends: %j",
    (reply) => {
      expect(stripReasoning(reply, TEXT)).toEqual({ text: "", reasoning: "unclosed" });
    },
  );
});

describe("a stream", () => {
  it("passes on each piece of an answer immediately", () => {
    const text = createReasoningFilter(TEXT);
    expect(["It ", "is ", "4"].map((piece) => text.push(piece))).toEqual(["It ", "is ", "4"]);
    const json = createReasoningFilter(JSON_REPLY);
    expect(["<think>{", "}</think>", '\n{"a"', ":1}"].map((piece) => json.push(piece))).toEqual([
      "",
      "",
      '{"a"',
      ":1}",
    ]);
    const behind = createReasoningFilter(JSON_REPLY);
    expect(["Here: ", "\n{", "}"].map((piece) => behind.push(piece))).toEqual(["", "Here: \n{", "}"]);
  });

  it("yields the same text however it is cut into pieces (REASON-1)", () => {
    const part = fc.constantFrom(
      "<think>",
      "</think>",
      "<",
      "<thinking>",
      "</thinking>",
      "<|channel|>final<|message|>",
      "<|channel|>analysis<|message|>",
      "<|return|>",
      "\n",
      " ",
      "{",
      "[",
      "İ",
      "words and more words ",
      "x".repeat(320),
    );
    const form = fc.constantFrom(TEXT, JSON_REPLY, UNOPENED);
    fc.assert(
      fc.property(fc.array(part), form, fc.array(fc.nat(20)), (parts, replyForm, cuts) => {
        const reply = parts.join("");
        const whole = createReasoningFilter(replyForm);
        const begun = whole.push(reply);
        const wanted = whole.end();
        const filter = createReasoningFilter(replyForm);
        let given = "";
        let rest = reply;
        for (const cut of cuts) {
          given += filter.push(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        given += filter.push(rest);
        const { text, reasoning } = filter.end();
        expect(given + text).toBe(begun + wanted.text);
        expect(reasoning).toBe(wanted.reasoning);
      }),
      { numRuns: 2_000 },
    );
  });
});
