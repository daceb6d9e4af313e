import { z } from "zod";
import { EXPRESSION_CHARS_MAX, evaluateExpression } from "../math/evaluate-expression.ts";
import { defineTool, type Tool } from "./define-tool.ts";

const NUMBERS_MAX = 10_000;
const NUMERAL = /^\s*[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\s*$/;

/** Numbers inside a string, as a template gives them, count as numbers. */
const Numeric = z.union([z.number(), z.string().max(100).regex(NUMERAL).transform(Number), z.boolean()]);

/** Exact arithmetic, so that no model has to do any. */
export function mathEvaluate(): Tool {
  return defineTool({
    name: "math.evaluate",
    description:
      "Calculate one arithmetic expression exactly; never let a model calculate. Operators: + - * / ^ % (remainder), comparisons, and, or, not, c ? a : b. Functions: round(x), roundTo(x, digits), abs, sqrt, ln, log10, exp, min, max, sum(list), mean(list), length(list). Constants: PI, E. " +
      'Example: {"expression": "roundTo((new - old) / old * 100, 1)", "variables": {"old": {"$ref": "s1.output.value"}, "new": 12}}. ' +
      "Output: {value}.",
    input: z.strictObject({
      expression: z.string().trim().min(1).max(EXPRESSION_CHARS_MAX).describe("The expression."),
      variables: z
        .record(
          z.string().regex(/^[A-Za-z_]\w{0,63}$/),
          z.union([Numeric, z.array(Numeric).max(NUMBERS_MAX)]),
        )
        .describe("A number or list of numbers for each name in the expression.")
        .optional(),
    }),
    output: z.object({
      value: z.union([z.number(), z.boolean(), z.array(z.union([z.number(), z.boolean()]))]),
    }),
    risk: "low",
    effect: "read",
    light: true,
    timeoutMs: 10_000,
    untrusted: false,
    run: async ({ expression, variables = {} }) => ({ value: evaluateExpression(expression, variables) }),
  });
}
