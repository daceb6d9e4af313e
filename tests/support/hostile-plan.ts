/** Plans whose every field is hostile: one ends, one waits for a person, one searches. */
import { wait } from "@planwright/testkit";
import { HOSTILE, LONG } from "./hostile-words.ts";

const WORDS = `${HOSTILE} ${LONG}`;

const step = (id: string, tool: string, args: object, more: object = {}) => ({
  id,
  tool,
  description: `${id} ${WORDS}`,
  args,
  ...more,
});

export const HOSTILE_AND_ENDED = {
  goal: `ends ${WORDS}`,
  metadata: { [HOSTILE]: LONG },
  constraints: [WORDS],
  plan: {
    reasoning: WORDS,
    steps: [
      step("text", "flow.echo", { value: `${HOSTILE}\n\n# ${LONG}` }),
      step("table", "flow.echo", {
        value: { columns: [HOSTILE, "b"], rows: [{ [HOSTILE]: HOSTILE, b: LONG }] },
      }),
      step("json", "flow.echo", { value: { [HOSTILE]: { [LONG]: [HOSTILE, LONG] } } }),
      step("file", "files.write", { path: `${"long-".repeat(30)}name.md`, content: `# ${WORDS}` }),
      step("broken", "math.evaluate", { expression: WORDS }),
      step("never", "flow.echo", { value: { $ref: "broken.output" } }),
      step(
        "answer",
        "flow.echo",
        { value: { $ref: "text.output" } },
        { dependsOn: ["table", "json", "file"] },
      ),
    ],
    answerFrom: "answer",
  },
};

export const HOSTILE_AND_OPEN = {
  goal: `waits ${WORDS}`,
  approval: { risk: "medium" },
  plan: {
    steps: [
      wait("sleep", 600_000, { description: WORDS }),
      step("ask", "human.ask", { question: WORDS, choices: [HOSTILE, LONG] }),
      step("say", "human.ask", { question: WORDS }),
      step("change", "data.apply", {
        source: "shop",
        text: WORDS,
        changeset: "",
        changes: [
          {
            table: HOSTILE,
            op: "update",
            key: { [HOSTILE]: LONG },
            before: { price: HOSTILE },
            after: { price: LONG },
          },
        ],
      }),
      step("write", "files.write", { path: "a.md", content: WORDS }),
    ],
    answerFrom: "ask",
  },
};

export const HOSTILE_AND_SEARCHED = {
  goal: `warranty of tents ${WORDS}`,
  strategy: "tree-search",
  search: { iterations: 1 },
};
