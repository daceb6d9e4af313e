import { describe, expect, it } from "vitest";
import { describeArguments, toolSignature } from "./tool-signature.ts";

it("writes each argument with its type, and marks optional ones", () => {
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

describe("the description of a tool's arguments", () => {
  it("states the type and note of each, and only the note for a text that has one", () => {
    const input = {
      type: "object",
      properties: {
        query: { type: "string", description: "what to look for" },
        limit: { type: "integer", description: "most results" },
        page: { type: "integer" },
        name: { type: "string" },
      },
      required: ["query", "page", "name"],
      additionalProperties: false,
    };
    expect(describeArguments({ input })).toEqual({
      query: "what to look for",
      "limit?": "integer: most results",
      page: "integer",
      name: "string",
    });
  });

  it("is a single type if the arguments are not an object with known fields", () => {
    expect(describeArguments({ input: {} })).toBe("any");
    expect(describeArguments({ input: { type: "object", additionalProperties: true } })).toBe("any");
  });
});
