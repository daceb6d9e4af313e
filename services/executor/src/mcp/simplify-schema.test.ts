import { describe, expect, it } from "vitest";
import { simplifySchema } from "./simplify-schema.ts";

describe("the schema of an untrusted server", () => {
  it("keeps keywords that take bounded time to check", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      required: ["path"],
      additionalProperties: false,
      properties: {
        path: { type: "string", minLength: 1, description: "Where." },
        lines: { type: "array", items: { anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }] } },
        mode: { enum: ["r", "w"], default: "r" },
      },
    };
    const { $schema: _dialect, ...kept } = schema;
    expect(simplifySchema(schema)).toEqual(kept);
  });

  it("loses patterns and everything else that could take hours", () => {
    expect(
      simplifySchema({
        type: "object",
        patternProperties: { "^(a+)+$": {} },
        propertyNames: { pattern: "^(a+)+$" },
        properties: { a: { type: "string", pattern: "^(a+)+$" }, b: { type: "array", uniqueItems: true } },
      }),
    ).toEqual({ type: "object", properties: { a: { type: "string" }, b: { type: "array" } } });
  });

  it("has its references inlined, and any value where one is recursive", () => {
    const schema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/node", description: "The root." } },
      $defs: {
        node: {
          type: "object",
          properties: { next: { $ref: "#/$defs/node" }, at: { $ref: "#/$defs/p~1q" } },
        },
        "p/q": { type: "number" },
      },
    };
    expect(simplifySchema(schema)).toEqual({
      type: "object",
      properties: {
        tree: { type: "object", description: "The root.", properties: { next: {}, at: { type: "number" } } },
      },
    });
    expect(
      simplifySchema({ properties: { a: { $ref: "https://evil.example/x" }, b: { $ref: "#/$defs/none" } } }),
    ).toEqual({
      properties: { a: {}, b: {} },
    });
  });

  it("is refused when references double at each level, or when it is deep or large", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` };
        return [`d${level}`, { anyOf: [next, next] }];
      }),
    );
    expect(() => simplifySchema({ $ref: "#/$defs/d0", $defs: doubling })).toThrow(RangeError);
    let deep: object = {};
    for (let level = 0; level < 5_000; level += 1) deep = { items: deep };
    expect(() => simplifySchema({ properties: { deep } } as never)).toThrow(RangeError);
    expect(() => simplifySchema({ enum: ["x".repeat(100_000)] })).toThrow(RangeError);
  });

  it("cannot give an object another prototype", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"a":{}}}',
    ) as never;
    expect(JSON.stringify(simplifySchema(schema))).toBe('{"type":"object","properties":{"a":{}}}');
  });
});
