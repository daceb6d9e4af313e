/** The first program trips over a missing field; the revision has another one in its place. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const fruits = { id: "fruits", tool: "flow.echo", args: { value: ["apple", "pear", "plum"] } };
const count = (id: string, code: string) => ({
  id,
  tool: "code.run",
  args: { language: "typescript", code, input: { $ref: "fruits.output" } },
});

const WRONG = `const letters: Record<string, number> = {};
for (const fruit of input.names) letters[fruit] = 1;
return letters;`;

const RIGHT = `const letters: Record<string, number> = {};
for (const fruit of input as string[]) for (const letter of fruit) letters[letter] = (letters[letter] ?? 0) + 1;
console.log(Object.keys(letters).length, "letters");
return letters;`;

export const script: ModelScript = {
  plan: [
    () => planPieces({ steps: [fruits, count("count", WRONG)], answerFrom: "count" }),
    () => planPieces({ steps: [count("count-again", RIGHT)], answerFrom: "count-again" }),
  ],
};
