import { PlanDocument } from "@planwright/plan";
import { describe, expect, expectTypeOf, it } from "vitest";
import { plan, type Ref } from "../index.ts";

describe("plan", () => {
  it("writes references in the plan language's syntax in values, texts and conditions", () => {
    const document = plan(({ step, when }) => {
      const north = step("north", "sql.query", { source: "sales", sql: "SELECT 1" });
      const total = step("total", "flow.echo", {
        value: { sum: north.output.rows[0]?.["a b"], rows: north },
      });
      return when`${total.output} != ${'a "text"'} and ${north.output.rows.length} > ${2}`(() =>
        step(
          "answer",
          "flow.echo",
          { value: `It is ${String(total.output)}.` },
          { timeoutMs: 500, dependsOn: [north] },
        ),
      );
    });
    expect(document).toEqual({
      steps: [
        { id: "north", tool: "sql.query", args: { source: "sales", sql: "SELECT 1" } },
        {
          id: "total",
          tool: "flow.echo",
          args: { value: { sum: { $ref: 'north.output.rows[0]["a b"]' }, rows: { $ref: "north.output" } } },
        },
        {
          id: "answer",
          tool: "flow.echo",
          args: { value: "It is {{total.output}}." },
          dependsOn: ["north"],
          timeoutMs: 500,
          when: String.raw`total.output != "a \"text\"" and north.output.rows.length > 2`,
        },
      ],
      answerFrom: "answer",
    });
    expect(PlanDocument.safeParse(document).error).toBeUndefined();
  });

  it("runs a step for each entry of a list and collects the results in a list", () => {
    const document = plan(({ step, each, when }) => {
      const list = step("list", "files.list", {});
      const read = when`${list.output.files.length} > 0`(() =>
        each(list.output.files, ({ path }) => step("read", "files.read", { path })),
      );
      each([1, 2], (number) => step("echo", "flow.echo", { value: number }));
      step("first", "flow.echo", { value: read.output[0]?.content });
    });
    expect(document.steps).toMatchObject([
      { id: "list" },
      {
        id: "read",
        args: { path: { $ref: "item.path" } },
        forEach: { $ref: "list.output.files" },
        when: "list.output.files.length > 0",
      },
      { id: "echo", args: { value: { $ref: "item" } }, forEach: [1, 2] },
      { id: "first", args: { value: { $ref: "read.output[0].content" } } },
    ]);
    expect(document).not.toHaveProperty("answerFrom");
    expect(PlanDocument.safeParse(document).error).toBeUndefined();
  });

  it("names other steps in fallbacks, verifications and compensations", () => {
    const document = plan(({ step }) => {
      const cached = step("cached", "files.read", { path: "prices.json" });
      const live = step("live", "http.fetch", { url: "https://example.org" }, { fallback: cached });
      step("check", "flow.echo", { value: live.output.status }, { verifies: live });
      step(
        "file",
        "files.write",
        { path: "a", content: "b" },
        { compensate: { tool: "flow.echo", args: { value: live.output } } },
      );
    });
    expect(document.steps).toMatchObject([
      {},
      { fallback: "cached" },
      { verifies: "live" },
      { compensate: { args: { value: { $ref: "live.output" } } } },
    ]);
  });

  it("combines nested conditions", () => {
    const document = plan(({ step, when }) => {
      when`a.output or b.output`(() => when`c.output`(() => step("d", "flow.echo", { value: 1 })));
    });
    expect(document.steps).toMatchObject([{ when: "(a.output or b.output) and (c.output)" }]);
  });

  it("refuses duplicate ids, an each body with several steps, and arguments that are not JSON", () => {
    expect(() =>
      plan(({ step }) => {
        step("a", "flow.echo", { value: 1 });
        step("a", "flow.echo", { value: 2 });
      }),
    ).toThrow('two steps with the id "a"');
    expect(() =>
      plan(({ step, each }) => {
        each([1], () => {
          step("a", "flow.echo", { value: 1 });
          return step("b", "flow.echo", { value: 2 });
        });
      }),
    ).toThrow("each: wanted one step, got 2");
    expect(() => plan(({ step }) => void step("a", "flow.echo", { value: () => 1 }))).toThrow(
      "value: wanted JSON",
    );
  });

  it("types references by the tools' outputs", () => {
    plan(({ step, each }) => {
      const list = step("list", "files.list", {});
      expectTypeOf(
        each(list.output.files, (file) => step("f", "files.read", { path: file.path })).output,
      ).toExtend<Ref<{ readonly path: string }[]>>();
      // @ts-expect-error -- a number where the tool takes text
      step("wrong", "files.read", { path: 1 });
      // @ts-expect-error -- the tool has no such output
      step("none", "flow.echo", { value: list.output.nothing });
      // @ts-expect-error -- a list where the tool takes text
      step("list2", "files.read", { path: list.output.files });
      const unknown = step("own", "own.tool", { any: 1 });
      step("any", "files.read", { path: unknown.output["path"] ?? "" });
      return list;
    });
  });
});
