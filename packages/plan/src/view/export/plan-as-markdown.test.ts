import { expect, it } from "vitest";
import { after, failed, submitted, succeeded } from "../../../test/facts.ts";
import { viewOf } from "../plan-view.ts";
import { planAsMarkdown } from "./index.ts";

const steps = [
  { id: "a", tool: "flow.echo", description: "look | count", args: { value: "x" } },
  { id: "b", tool: "flow.echo", description: "", args: { value: "{{a}}" } },
];

it("reports the goal, the course, the steps and the failures", () => {
  const view = viewOf(after(submitted(steps), succeeded("a"), failed("b")), 0);
  expect(planAsMarkdown(view)).toMatchInlineSnapshot(`
    "# add up

    - **Status:** reflecting
    - **Plan:** \`p1\`
    - **Submitted:** 2026-01-01T00:00:00Z
    - **Strategy:** predefined plan
    - **Steps:** 2 of 2 done

    ## Steps

    | Step | Description | Tool | Status | Took |
    | --- | --- | --- | --- | --: |
    | \`a\` | look \\| count | \`flow.echo\` | succeeded | 5 ms |
    | \`b\` |  | \`flow.echo\` | failed | 5 ms |

    ## What failed

    - \`b\`: boom
    "
  `);
});

it("puts the answer below its heading, and leaves its code blocks unchanged", () => {
  const view = viewOf(after(submitted(steps), succeeded("a")), 0);
  const text = "# Result\n\n```\n# no heading\n```\n\n##### Deep\n#hash tag";
  const report = planAsMarkdown({
    ...view,
    answer: { status: "success", text, sources: view.steps.slice(0, 1).map(({ id }) => id), artifacts: [] },
  });
  expect(report).toContain(
    "## Answer\n\n### Result\n\n```\n# no heading\n```\n\n###### Deep\n#hash tag\n\nSources: `a`",
  );
});

it("escapes Markdown and HTML in a goal", () => {
  const view = viewOf(after(submitted(steps)), 0);
  const [heading] = planAsMarkdown({ ...view, goal: "Sum *all*\n# <b>[files](x)</b>" }).split("\n");
  expect(heading).toBe("# Sum \\*all\\* \\# \\<b\\>\\[files\\](x)\\</b\\>");
});
