import { expect, it } from "vitest";
import { definePrompt } from "./define-prompt.ts";

const texts = { system: "Say hello." };
const messages = ({ system }: typeof texts, { who }: { who: string }) => [
  { role: "system" as const, content: system },
  { role: "user" as const, content: who },
];

it("renders its messages with its name and version", () => {
  const prompt = definePrompt({ name: "greeter.hello", version: 2, texts, messages });
  expect(prompt.render({ who: "Ada" })).toEqual({
    prompt: { name: "greeter.hello", version: 2 },
    messages: [
      { role: "system", content: "Say hello." },
      { role: "user", content: "Ada" },
    ],
  });
});

it.each([
  ["greeter", 1, "role.what"],
  ["Greeter.hello", 1, "role.what"],
  ["greeter.hello", 0, "positive integer"],
  ["greeter.hello", 1.5, "positive integer"],
])("refuses the name %s with the version %d", (name, version, message) => {
  expect(() => definePrompt({ name, version, texts, messages })).toThrow(message);
});
