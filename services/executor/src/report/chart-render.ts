import { Buffer } from "node:buffer";
import { ArtifactRef } from "@planwright/plan";
import { z } from "zod";
import type { ChartRenderer } from "./chart-renderer.ts";
import { defineTool, type Tool, type ToolContext } from "../tools/define-tool.ts";

const ROWS_MAX = 5_000;
const CONTENT_TYPE = "image/svg+xml" as const;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u;

/** Draws a Vega-Lite chart and stores it as a file of the plan. */
export function chartRender({ charts }: { readonly charts: ChartRenderer }): Tool {
  return defineTool({
    name: "chart.render",
    description:
      "Draw a chart as an SVG file from a Vega-Lite 6 spec, such as " +
      '{"mark": "bar", "encoding": {"x": {"field": "region", "type": "nominal"}, "y": {"field": "revenue", "type": "quantitative"}}}. ' +
      "Pass the rows as `data` (max 5,000). No images, links or URLs. Output: {path, bytes}.",
    input: z.strictObject({
      spec: z.record(z.string(), z.unknown()).describe("The Vega-Lite spec."),
      data: z.array(z.record(z.string(), z.unknown())).max(ROWS_MAX).describe("The rows to draw.").optional(),
      name: z
        .string()
        .regex(NAME, "wanted letters, digits, - and _, without an ending")
        .describe("File name without .svg.")
        .optional(),
    }),
    output: z.object({
      path: z.string(),
      artifact: ArtifactRef,
      contentType: z.literal(CONTENT_TYPE),
      bytes: z.int().positive(),
      warnings: z.array(z.string()).optional().describe("What the chart leaves out or assumes."),
    }),
    risk: "low",
    effect: "idempotent",
    timeoutMs: 60_000,
    untrusted: false,
    run: async ({ spec, data, name }, context) => {
      const { signal, workspace } = context;
      const { svg, warnings } = await charts.render(
        { spec, ...(data === undefined ? {} : { data }) },
        { signal },
      );
      signal.throwIfAborted();
      const path = `${name ?? defaultName(context)}.svg`;
      const { artifact, bytes } = await workspace.write(path, Buffer.from(svg, "utf8"), CONTENT_TYPE);
      return {
        path,
        artifact,
        contentType: CONTENT_TYPE,
        bytes,
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    },
  });
}

/** Charts of one plan never overwrite each other, but a second attempt overwrites the first. */
function defaultName({ stepId, item }: ToolContext): string {
  return item === 0 ? `chart-${stepId}` : `chart-${stepId}-${item}`;
}
