import { renderMermaidSVG } from "beautiful-mermaid";
import fc from "fast-check";
import { expect, it } from "vitest";
import { after, failed, submitted, succeeded } from "../../../test/facts.ts";
import { viewOf } from "../plan-view.ts";
import { planAsMermaid } from "./index.ts";

const step = (id: string, description: string, more: object = {}) => ({
  id,
  tool: "flow.echo",
  description,
  args: { value: id },
  ...more,
});

it("draws each step with its status, its dependencies, and its fallback", () => {
  const view = viewOf(
    after(
      submitted([
        step("end", "look it up", { fallback: "b" }),
        step("b", ""),
        step("c", "write", { dependsOn: ["end"] }),
      ]),
      failed("end"),
      succeeded("b"),
    ),
    0,
  );
  expect(planAsMermaid(view)).toMatchInlineSnapshot(`
    "flowchart LR
      n0["end: look it up"]:::failed
      n1["b"]:::succeeded
      n2["c: write"]:::queued
      n0 -. "if it fails" .-> n1
      n0 --> n2
      classDef failed fill:#fdebec,stroke:#9a1c15,color:#9a1c15
      classDef succeeded fill:#e2f5ec,stroke:#0a5c47,color:#0a5c47
      classDef queued fill:#eef1f7,stroke:#616b7d,color:#465268
    "
  `);
});

it("draws any text as the label of a single node", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (description) => {
      const view = viewOf(
        after(submitted([step("a", description), step("b", "next", { dependsOn: ["a"] })])),
        0,
      );
      const drawing = renderMermaidSVG(planAsMermaid(view));
      expect(drawing.match(/class="node"/g)).toHaveLength(2);
      expect(drawing.match(/class="edge"/g)).toHaveLength(1);
    }),
  );
});
