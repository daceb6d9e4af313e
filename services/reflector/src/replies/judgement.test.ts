import { judgementText } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { JUDGEMENT_SCHEMA, readJudgement } from "./judgement.ts";

describe("a final answer", () => {
  it("is read with its data decoded", () => {
    const text = judgementText({ text: " done ", data: { n: 1 }, sources: ["s1"] });
    expect(readJudgement(text)).toEqual({
      issues: [],
      value: {
        decision: "answer",
        reason: "",
        status: "success",
        text: "done",
        data: { n: 1 },
        sources: ["s1"],
      },
    });
  });

  it.each([
    ["no JSON", "done", ""],
    ["an unknown decision", judgementText({ text: "x" }).replace('"answer"', '"perhaps"'), "decision"],
    ["an unknown status", judgementText({ text: "x", status: "great" }), "status"],
    ["no text", judgementText({ text: "  " }), "text"],
  ])("cannot be used with %s", (_what, text, field) => {
    const { issues, value } = readJudgement(text);
    expect(issues.map((issue) => issue.field)).toEqual([field]);
    expect(value).toBeUndefined();
  });

  it("can be used in spite of data that is not JSON, or a revision without a reason", () => {
    const broken = judgementText({ text: "x" }).replace('"dataJson":null', '"dataJson":"{"');
    expect(readJudgement(broken)).toMatchObject({
      issues: [{ field: "dataJson" }],
      value: { text: "x" },
    });
    expect(readJudgement(judgementText({ decision: "revise" }))).toMatchObject({
      issues: [{ field: "reason" }],
      value: { decision: "revise", reason: "the results do not answer the goal", text: "" },
    });
  });
});

it("is requested with a schema that strict servers accept", () => {
  const { type, required, properties, additionalProperties } = JUDGEMENT_SCHEMA;
  expect([type, additionalProperties]).toEqual(["object", false]);
  expect(required).toEqual(Object.keys(Object(properties)));
});
