/** What a model might propose and how it might value it; the search decides by itself what it is asked about. */
import { judgementText, type ModelScript, planPieces, type ScriptedStep } from "@planwright/testkit";
import { z } from "zod";

const Listed = z.array(z.looseObject({ id: z.string() }));

const calculate = (id: string, expression: string): ScriptedStep => ({
  id,
  description: expression,
  tool: "math.evaluate",
  args: { expression },
});

/** The proposals that follow an action, by its id; those of the root by "". */
const PROPOSALS: Readonly<Record<string, readonly ScriptedStep[]>> = {
  "": [calculate("a", "9 + 13"), calculate("b", "10 - 4")],
  a: [calculate("a1", "22 + 4"), calculate("a2", "10 - 4")],
  b: [calculate("b1", "13 - 9"), calculate("b2", "9 * 6")],
  b1: [calculate("c", "6 * 4"), calculate("d", "6 + 4")],
};

const VALUES: Readonly<Record<string, readonly [value: number, reason: string]>> = {
  a: [0.8, "22 is near 24, and 4 and 10 are left"],
  b: [0.6, "6, 9 and 13 are left"],
  a1: [0.2, "26 and 10 are left"],
  a2: [0.1, "22 and 6 are left"],
  b1: [0.9, "6 and 4 are left"],
  b2: [0.3, "54 and 13 are left"],
  c: [1, "24, and every number is used once"],
  d: [0.4, "10 is not 24"],
};

export const script: ModelScript = {
  plan: ({ blocks }) => {
    const last = listed(blocks.get("path")).at(-1) ?? "";
    return planPieces({ reasoning: "Alternatives.", steps: PROPOSALS[last] ?? [] });
  },
  values: ({ blocks }) =>
    JSON.stringify({
      values: listed(blocks.get("actions")).map((id) => {
        const [value, reason] = VALUES[id] ?? [0, "unknown"];
        return { id, value, solved: value === 1, reason };
      }),
    }),
  judgement: ({ blocks }) =>
    judgementText({ text: "(10 - 4) * (13 - 9) = 24", sources: listed(blocks.get("results")) }),
};

function listed(block = "[]"): readonly string[] {
  return Listed.parse(JSON.parse(block)).map(({ id }) => id);
}
