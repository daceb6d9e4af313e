import { echo } from "@planwright/plan/testing";
import { describe, expect, it } from "vitest";
import { type DraftBasis, DraftBuilder } from "./draft-builder.ts";
import { buildWhole, earlier, ECHO, ECHO_ALONE } from "./testing/echo-steps.ts";

function build(drafted: readonly unknown[], more: Partial<DraftBasis> = {}) {
  const basis = { tools: ECHO_ALONE, draft: 1, earlier: [], ...more } as const;
  return buildWhole((onPlanned) => new DraftBuilder(basis, onPlanned), drafted);
}

describe("a draft", () => {
  it("is planned in the order in which its steps arrive, with the tool data that the log needs", () => {
    const { planned, builder } = build([echo("a"), echo("b", { value: { $ref: "a.output" } })]);
    const grant = { pool: "quick", risk: "low", effect: "read", timeoutMs: 5_000 };
    expect(planned).toMatchObject([
      { index: 0, step: { id: "a" }, grant },
      { index: 1, step: { id: "b" }, grant },
    ]);
    expect(builder.issues).toEqual([]);
    expect(builder.added).toEqual(["a", "b"]);
  });

  it("records both tools of a step that can be compensated", () => {
    const write = { ...ECHO, name: "files.write", effect: "idempotent" } as const;
    const compensate = { tool: "files.write", args: { value: { $ref: "a.output" } } };
    const drafted = [{ id: "a", tool: "files.write", args: { value: 1 }, compensate }];
    const { planned, codes } = build(drafted, { tools: new Map([...ECHO_ALONE, [write.name, write]]) });
    expect(codes).toEqual([]);
    expect(planned).toMatchObject([{ step: { compensate }, compensateGrant: { effect: "idempotent" } }]);
  });

  it("plans its steps only after their dependencies, wherever those are in the draft", () => {
    const count = 2_000;
    const backwards = Array.from({ length: count }, (_, index) =>
      echo(`s${count - index}`, {
        value: index === count - 1 ? 0 : { $ref: `s${count - index - 1}.output` },
      }),
    );
    const { ids, codes } = build(backwards);
    expect(codes).toEqual([]);
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => `s${index + 1}`));
  });

  it("names a cycle with its path if nothing else is wrong", () => {
    const { builder, ids } = build([
      echo("x"),
      echo("a", { value: { $ref: "b.output" } }),
      echo("b", { value: "b", dependsOn: ["c", "x"] }),
      echo("c", { value: "{{a.output}}" }),
    ]);
    expect(ids).toEqual(["x"]);
    expect(builder.issues).toMatchObject([
      { code: "cycle", message: expect.stringContaining("a → b → c → a") },
    ]);
  });

  it("names the missing parts, but not the steps that only wait for faulty ones", () => {
    const { builder } = build([
      echo("a", { value: { $ref: "nowhere.output" } }),
      echo("b", { value: { $ref: "a.output" } }),
      { id: "c", tool: "no.tool" },
      echo("d", { value: { $ref: "c.output" } }),
    ]);
    expect(builder.issues.map(({ stepId, code }) => [stepId, code])).toEqual([
      ["c", "unknown_tool"],
      ["a", "dangling_reference"],
    ]);
  });

  it("plans nothing more after its first fault, but names later ones", () => {
    const { ids, codes } = build([echo("a"), { id: "b" }, echo("c"), 5, echo("a")]);
    expect(ids).toEqual(["a"]);
    expect(codes).toContain("duplicate_id");
    expect(codes.length).toBeGreaterThanOrEqual(3);
  });

  it("refuses a second step with the same id even when it was held back", () => {
    const { ids, codes } = build([
      echo("b", { value: { $ref: "a.output" } }),
      echo("b", { value: { $ref: "a.output" } }),
      echo("a"),
    ]);
    expect(ids).toEqual(["a", "b"]);
    expect(codes).toEqual(["duplicate_id"]);
  });
});

describe("a draft after others", () => {
  it("reuses an earlier result instead of planning the same step again", () => {
    const { builder, ids, planned } = build(
      [echo("n1", { value: "same" }), echo("n2", { value: { $ref: "n1.output" } })],
      {
        draft: 2,
        earlier: [earlier(echo("s1", { value: "same" }))],
      },
    );
    expect(ids).toEqual(["n2"]);
    expect(planned[0]?.step.args).toEqual({ value: { $ref: "s1.output" } });
    expect(builder.steps.map(({ id }) => id)).toEqual(["s1", "n2"]);
    expect(builder.idOf("n1")).toBe("s1");
  });

  it("can refer to earlier steps that succeeded, and to no others", () => {
    const basis = {
      draft: 2,
      earlier: [
        earlier(echo("good")),
        earlier(echo("bad"), { status: "failed", error: { code: "x", message: "x" } }),
      ],
    };
    expect(build([echo("n1", { value: { $ref: "good.output" } })], basis).codes).toEqual([]);
    expect(build([echo("n1", { value: { $ref: "bad.output" } })], basis).codes).toEqual([
      "dangling_reference",
    ]);
    expect(build([echo("n1")], basis).builder.idOf("good")).toBe("good");
    expect(build([echo("n1")], basis).builder.idOf("bad")).toBeUndefined();
    expect(build([echo("n1")], basis).builder.idOf("no such id")).toBeUndefined();
  });

  it("renames an id that was used before, including references to it", () => {
    const { planned, builder } = build(
      [echo("s1", { value: "new" }), echo("s2", { value: "{{s1.output}}" })],
      {
        draft: 3,
        earlier: [earlier(echo("s1", { value: "old" }))],
      },
    );
    expect(planned.map(({ step }) => [step.id, step.args])).toEqual([
      ["s1-d3", { value: "new" }],
      ["s2", { value: "{{s1-d3.output}}" }],
    ]);
    expect(builder.idOf("s1")).toBe("s1-d3");
  });
});

describe("a draft with fallbacks and verification", () => {
  it("names a fallback before it plans it, and verifies planned steps", () => {
    const { planned, codes } = build([
      echo("check", { value: { $ref: "s1.output" }, verifies: "s1" }),
      echo("s1", { value: 1, fallback: "s2" }),
      echo("s2", { value: "{{check.output.issues}}" }),
    ]);
    expect(codes).toEqual([]);
    expect(planned.map(({ step: { id, verifies, fallback } }) => ({ id, verifies, fallback }))).toEqual([
      { id: "s1", verifies: undefined, fallback: "s2" },
      { id: "check", verifies: "s1", fallback: undefined },
      { id: "s2", verifies: undefined, fallback: undefined },
    ]);
  });

  it.each([
    ["that was planned before", [echo("s2"), echo("s1", { value: 1, fallback: "s2" })], "unknown_fallback"],
    ["that it never plans", [echo("s1", { value: 1, fallback: "s2" })], "unknown_fallback"],
    [
      "that another one has",
      [echo("s1", { value: 1, fallback: "s3" }), echo("s2", { value: 1, fallback: "s3" }), echo("s3")],
      "shared_fallback",
    ],
    [
      "that needs what needs the step",
      [
        echo("s1", { value: 1, fallback: "s3" }),
        echo("s2", { value: "{{s1.output}}" }),
        echo("s3", { value: "{{s2.output}}" }),
      ],
      "cycle",
    ],
    [
      "of a step that verifies another",
      [echo("s1"), echo("s2", { value: 1, verifies: "s1", fallback: "s3" }), echo("s3")],
      "nested_verification",
    ],
  ])("is refused when it names a fallback %s", (_name, drafted, code) => {
    expect(build(drafted).codes).toEqual([code]);
  });

  it("leaves fallback and verification steps out of the order of a sequential draft", () => {
    const drafted = [
      echo("a"),
      echo("b", { value: 1, fallback: "c" }),
      echo("c"),
      echo("check", { value: 1, verifies: "b" }),
      echo("d"),
    ];
    const { planned, codes } = build(drafted, { inOrder: true });
    expect(codes).toEqual([]);
    expect(planned.map(({ step: { dependsOn } }) => dependsOn)).toEqual([[], ["a"], [], [], ["check"]]);
  });
});

it("chains the steps of a sequential draft in the order in which they are planned", () => {
  const { planned } = build([echo("c", { value: { $ref: "b.output" } }), echo("a"), echo("b")], {
    inOrder: true,
  });
  expect(planned.map(({ step }) => [step.id, step.dependsOn])).toEqual([
    ["a", []],
    ["b", ["a"]],
    ["c", []],
  ]);
});
