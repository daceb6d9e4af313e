// chart.render with the real Vega-Lite, in a real child process.
import { PermanentError } from "@planwright/shared/errors";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createChartRenderer } from "./chart-renderer.ts";
import { chartRender } from "./chart-render.ts";
import { memoryWorkspace, testContext } from "../tools/testing/test-context.ts";

const charts = createChartRenderer();
afterAll(() => charts[Symbol.dispose]());

const rows = [
  { region: "North", revenue: 31.5, link: "javascript:alert(1)", picture: "http://169.254.169.254/x.png" },
  { region: "South <&>", revenue: 198, link: "https://evil.example/", picture: "file:///etc/passwd" },
];
const bars = {
  mark: "bar",
  encoding: { x: { field: "region", type: "nominal" }, y: { field: "revenue", type: "quantitative" } },
};

async function render(args: object) {
  const workspace = memoryWorkspace();
  const output = await chartRender({ charts }).run(args, testContext({ workspace }));
  const [path = ""] = await workspace.list();
  return { output, path, svg: new TextDecoder().decode(await workspace.read(path)) };
}

describe("chart.render", () => {
  it("draws rows as an SVG file of the plan", async () => {
    const { output, path, svg } = await render({ spec: bars, data: rows, name: "revenue-by-region" });
    const bytes = Buffer.byteLength(svg);
    expect(output).toEqual({
      path: "revenue-by-region.svg",
      artifact: { name: "revenue-by-region.svg", contentType: "image/svg+xml", bytes },
      contentType: "image/svg+xml",
      bytes,
    });
    expect(path).toBe("revenue-by-region.svg");
    expect(svg).toMatch(/^<svg /);
    expect(svg).toContain("North");
    expect(svg).toContain("South &lt;&amp;&gt;");
    expect(svg.match(/aria-roledescription="bar"/g)).toHaveLength(2);
  });

  it("draws the same chart from the same rows, named after its step", async () => {
    const first = await render({ spec: bars, data: rows });
    expect(first.path).toBe("chart-s1.svg");
    expect(await render({ spec: bars, data: rows })).toEqual(first);
    const third = await chartRender({ charts }).run(
      { spec: bars, data: rows },
      testContext({ stepId: "s2", item: 3 }),
    );
    expect(third).toMatchObject({ path: "chart-s2-3.svg" });
  });

  it("draws layers, transforms, aggregates and data inside the spec", async () => {
    const { svg } = await render({
      spec: {
        data: { values: rows },
        transform: [{ calculate: "datum.revenue * 2", as: "twice" }],
        layer: [
          { mark: "bar", encoding: { x: { field: "region" }, y: { aggregate: "sum", field: "twice" } } },
          { mark: { type: "rule" }, encoding: { y: { datum: 100 } } },
        ],
      },
    });
    expect(svg).toContain('aria-roledescription="bar"');
  });

  it("allows no links and loads no images in any part of the spec", async () => {
    const { svg } = await render({
      spec: {
        ...bars,
        params: [{ name: "l", value: "https://evil.example/" }],
        config: { bar: { href: "https://evil.example/" } },
      },
      data: rows.map(({ region, revenue }) => ({ region, revenue })),
    });
    expect(svg).not.toMatch(/evil\.example|169\.254|<image|<script|javascript:/);
  });

  it.each<[string, object, RegExp]>([
    ["no chart", { spec: {}, data: rows }, /^spec: wanted a mark/],
    ["no rows", { spec: bars }, /^data: wanted rows/],
    [
      "an unknown mark",
      { spec: { ...bars, mark: "barr" }, data: rows },
      /^spec\.mark: wanted one of .*bar.*, got "barr"/,
    ],
    [
      "a picture",
      { spec: { ...bars, mark: { type: "image" } }, data: rows },
      /^spec\.mark\.type: .*got "image"/,
    ],
    [
      "a mark that is a link",
      { spec: { ...bars, mark: { type: "bar", href: "http://x" } }, data: rows },
      /^spec\.mark\.href/,
    ],
    [
      "an unknown channel",
      { spec: { mark: "bar", encoding: { xx: { field: "region" } } }, data: rows },
      /^spec\.encoding\.xx: /,
    ],
    [
      "a link",
      { spec: { mark: "bar", encoding: { href: { field: "link" } } }, data: rows },
      /^spec\.encoding\.href: /,
    ],
    [
      "a picture's address",
      { spec: { mark: "point", encoding: { url: { field: "picture" } } }, data: rows },
      /^spec\.encoding\.url: /,
    ],
    [
      "an unknown column",
      { spec: { mark: "bar", encoding: { x: { field: "regoin", type: "nominal" } } }, data: rows },
      /^spec\.encoding\.x\.field: no column "regoin"; there are: region, revenue/,
    ],
    [
      "an unknown column in a layer",
      { spec: { layer: [bars, { mark: "line", encoding: { y: { field: "cost" } } }] }, data: rows },
      /^spec\.layer\[1\]\.encoding\.y\.field: no column "cost"/,
    ],
    [
      "a column whose name is read as a path",
      { spec: { mark: "bar", encoding: { x: { field: "unit.price" } } }, data: [{ "unit.price": 1 }] },
      /^spec\.encoding\.x\.field: .*write "unit\\\\\.price"/,
    ],
    [
      "an unknown type",
      { spec: { mark: "bar", encoding: { x: { field: "region", type: "nomnal" } } }, data: rows },
      /^spec\.encoding\.x\.type/,
    ],
    [
      "an unknown aggregate",
      { spec: { mark: "bar", encoding: { y: { field: "revenue", aggregate: "sumx" } } }, data: rows },
      /^spec\.encoding\.y\.aggregate/,
    ],
    [
      "data from the network",
      { spec: { ...bars, data: { url: "http://127.0.0.1:1/x.csv" } } },
      /^spec\.data\.url: charts cannot load data/,
    ],
    [
      "data from a file, in a lookup",
      {
        spec: {
          ...bars,
          transform: [{ lookup: "region", from: { data: { url: "/etc/passwd" }, key: "a" } }],
        },
        data: rows,
      },
      /^spec\.transform\[0\]\.from\.data\.url/,
    ],
    ["a huge drawing", { spec: { ...bars, width: 1e9 }, data: rows }, /^spec\.width/],
    [
      "too many rows inside the spec",
      { spec: { ...bars, data: { values: Array(5_001).fill({ region: 1 }) } } },
      /^spec\.data\.values: .*5001/,
    ],
    [
      "a sequence without end",
      { spec: { ...bars, data: { sequence: { start: 0, stop: 1e9, step: 1 } } } },
      /^spec\.data\.sequence/,
    ],
    [
      "an expression that is none",
      { spec: { ...bars, transform: [{ filter: "datum.revenue >" }] }, data: rows },
      /^spec: /,
    ],
    [
      "an expression that reaches for the process",
      {
        spec: {
          ...bars,
          transform: [{ calculate: "datum.constructor.constructor('return process')()", as: "z" }],
        },
        data: rows,
      },
      /^spec: Illegal callee/,
    ],
    [
      "an unknown function",
      { spec: { ...bars, transform: [{ calculate: "require('fs')", as: "z" }] }, data: rows },
      /^spec: .*require/,
    ],
    ["a spec that is too deep", { spec: { ...bars, config: nested(50) }, data: rows }, /nested deeper/],
    [
      "a forbidden key",
      { spec: JSON.parse('{"mark": "bar", "config": {"__proto__": {"a": 1}}}'), data: rows },
      /__proto__/,
    ],
  ])("refuses %s and names the field", async (_what, args, message) => {
    const refused: unknown = await render(args).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PermanentError);
    expect(refused).toMatchObject({ code: "invalid_chart", message: expect.stringMatching(message) });
  });

  it.each([
    { spec: bars, data: Array(5_001).fill({ region: "x" }) },
    { spec: bars, data: [1, 2] },
    { spec: "bar", data: rows },
    { spec: bars, data: rows, name: "../outside" },
    { spec: bars, data: rows, name: "chart.svg" },
    { spec: bars, data: rows, renderer: "canvas" },
  ])("refuses arguments that are out of bounds", async (args) => {
    await expect(render(args)).rejects.toMatchObject({ code: "invalid_arguments" });
  });

  it("abandons a chart that takes too long or too much memory, and draws the next one", async () => {
    using hasty = createChartRenderer({ deadlineMs: 3_000 });
    const tool = chartRender({ charts: hasty });
    const endless = {
      ...bars,
      data: { values: rows },
      transform: [{ calculate: "sequence(0, 400000000)", as: "big" }, { flatten: ["big"] }],
    };
    const refused: unknown = await tool
      .run({ spec: endless }, testContext())
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PermanentError);
    const next = await vi.waitFor(() => tool.run({ spec: bars, data: rows }, testContext()), 60_000);
    expect(next).toMatchObject({ path: "chart-s1.svg" });
  });

  it("writes nothing when its plan is cancelled", async () => {
    const workspace = memoryWorkspace();
    const context = testContext({ workspace, signal: AbortSignal.abort(new Error("cancelled")) });
    await expect(chartRender({ charts }).run({ spec: bars, data: rows }, context)).rejects.toThrow(
      "cancelled",
    );
    expect(await workspace.list()).toEqual([]);
  });
});

function nested(levels: number): object {
  let inner = {};
  for (let level = 0; level < levels; level += 1) inner = { a: inner };
  return inner;
}
