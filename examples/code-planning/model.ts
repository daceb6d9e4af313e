/**
 * The plan's programs share a state: the first one leaves the names there, the second one trips over a missing field,
 * and the revision continues with the state that the first one left.
 */
import { type ModelScript, planPieces } from "@planwright/testkit";

const fruits = { id: "fruits", tool: "flow.echo", args: { value: ["apple", "pear", "plum"] } };

const program = (id: string, code: string, more: object) => ({
  id,
  tool: "code.run",
  args: { language: "typescript", code, ...more },
});

const REMEMBER = `state.names = (input as string[]).map((name) => name.toLowerCase());
return state.names.length;`;

const WRONG = `const letters: Record<string, number> = {};
for (const fruit of state.fruits.names) letters[fruit] = 1;
return letters;`;

const RIGHT = `const letters: Record<string, number> = {};
for (const fruit of state.names as string[]) for (const letter of fruit) letters[letter] = (letters[letter] ?? 0) + 1;
console.log(Object.keys(letters).length, "letters");
state.letters = letters;
return letters;`;

const remember = program("remember", REMEMBER, { input: { $ref: "fruits.output" }, state: {} });
const count = (id: string, code: string) => program(id, code, { state: { $ref: "remember.output.state" } });

export const script: ModelScript = {
  plan: [
    () => planPieces({ steps: [fruits, remember, count("count", WRONG)], answerFrom: "count" }),
    () => planPieces({ steps: [count("count-again", RIGHT)], answerFrom: "count-again" }),
  ],
};
