import { expect, it } from "vitest";
import { toolSignature } from "./tool-signature.ts";

it("writes each argument with its type, and marks what may be left out", () => {
  const input = {
    type: "object",
    properties: {
      query: { type: "string" },
      limit: { type: "integer" },
      order: { enum: ["up", "down"] },
      tags: { type: "array", items: { type: "string" } },
      value: {},
      where: {
        anyOf: [
          { type: "string" },
          {
            type: "object",
            properties: { id: { type: "number" } },
            required: ["id"],
            additionalProperties: false,
          },
        ],
      },
    },
    required: ["query", "where"],
    additionalProperties: false,
  };
  expect(toolSignature({ name: "a.tool", input })).toBe(
    'a.tool {query: string, limit?: integer, order?: "up" | "down", tags?: [string, …], value?: any, where: string | {id: number}}',
  );
});
