import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../api/api-types.ts";
import { argumentFields, readFields, textsOf } from "./argument-fields.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    to: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    subject: { type: "string", minLength: 1, maxLength: 200 },
    body: { type: "string", maxLength: 10_000 },
    copies: { type: "integer", minimum: 1 },
    urgent: { type: "boolean" },
    day: { type: "string", format: "date" },
    folder: { enum: ["in", "out", 3] },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["to", "subject"],
  additionalProperties: false,
};
const ARGS: JsonObject = { subject: "Hello", to: "ann@example.org", copies: 2, tags: ["a"] };

const kinds = (args: JsonObject, schema: JsonObject | null = SCHEMA) =>
  Object.fromEntries(argumentFields(schema ?? undefined, args).map(({ name, kind }) => [name, kind]));

/** The arguments after text was typed into the fields. */
function typed(changes: Readonly<Record<string, string>>, args = ARGS, schema: JsonObject | null = SCHEMA) {
  const fields = argumentFields(schema ?? undefined, args);
  const { args: read, faults } = readFields(
    fields,
    new Map([...textsOf(fields, args), ...Object.entries(changes)]),
    args,
  );
  return { args: read, faults: Object.fromEntries(faults) };
}

describe("the fields of arguments", () => {
  it("follow the schema, and among its alternatives the one that fits the value", () => {
    expect(kinds(ARGS)).toEqual({
      to: "text",
      subject: "text",
      body: "long-text",
      copies: "number",
      urgent: "flag",
      day: "date",
      folder: "choice",
      tags: "json",
    });
    expect(kinds({ to: ["a", "b"] })).toMatchObject({ to: "json" });
  });

  it("are JSON where the value does not match the schema, so that nothing is lost", () => {
    const args = { subject: { no: "text" }, copies: "2", folder: "elsewhere", day: "tomorrow", urgent: 1 };
    expect(kinds(args)).toMatchObject({
      subject: "json",
      copies: "json",
      folder: "json",
      day: "json",
      urgent: "json",
    });
  });

  it("follow the values if the schema is unknown", () => {
    const args = { a: "x", b: "two\nlines", c: 1, d: true, e: [1], f: null };
    expect(kinds(args, null)).toEqual({
      a: "text",
      b: "long-text",
      c: "number",
      d: "flag",
      e: "json",
      f: "json",
    });
  });
});

describe("text typed into the fields", () => {
  it("changes the arguments in their order, and adds arguments that were not set", () => {
    expect(typed({ subject: "Bye", urgent: "true", folder: "3", day: "2026-01-31", copies: "3" })).toEqual({
      args: {
        subject: "Bye",
        to: "ann@example.org",
        copies: 3,
        tags: ["a"],
        urgent: true,
        day: "2026-01-31",
        folder: 3,
      },
      faults: {},
    });
    expect(Object.keys(typed({ body: "x" }).args)).toEqual(["subject", "to", "copies", "tags", "body"]);
  });

  it("omits an argument when its field is empty, unless it is required", () => {
    expect(typed({ copies: "", tags: " " }).args).toEqual({ subject: "Hello", to: "ann@example.org" });
    expect(typed({ subject: "" }).faults).toEqual({ subject: "Required" });
    expect(typed({}, { ...ARGS, body: "" }).args).toEqual({ ...ARGS, body: "" });
  });

  it.each([
    ["copies", "two", "Enter a number"],
    ["copies", "0", "Min 1"],
    ["tags", "[a]", "Enter valid JSON, with text in double quotes"],
    ["tags", "[1]", "[0]: Enter text"],
    ["subject", "x".repeat(201), "Max 200 characters, has 201"],
    ["day", "2026-13-01", "Enter a date, such as 2026-01-31"],
  ])("reports what is wrong with %s = %s", (name, text, fault) => {
    expect(typed({ [name]: text }).faults).toEqual({ [name]: fault });
  });

  it("reports an argument that the tool does not accept, until its field is emptied", () => {
    expect(typed({}, { ...ARGS, bcc: "x" }).faults).toEqual({
      bcc: "The tool does not accept this argument",
    });
    expect(typed({ bcc: "" }, { ...ARGS, bcc: "x" })).toEqual({ args: ARGS, faults: {} });
  });

  it("equals the proposal until something is typed, for any arguments and schema", () => {
    const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
    const names = fc.constantFrom("to", "subject", "copies", "urgent", "folder", "constructor", "x");
    const some = fc
      .dictionary(names, json, { maxKeys: 6 })
      .map((args): JsonObject => JSON.parse(JSON.stringify(args)));
    fc.assert(
      fc.property(some, fc.constantFrom(SCHEMA, null), (args, schema) => {
        expect(typed({}, args, schema).args).toEqual(args);
      }),
    );
  });
});
