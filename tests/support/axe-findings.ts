import axe from "axe-core";
import type { Page } from "playwright-core";
import { z } from "zod";

/** Of what axe reports, the part that a message needs. */
const Findings = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullish(),
    nodes: z.array(z.object({ target: z.array(z.unknown()), failureSummary: z.string().optional() })),
  }),
);

const SHOWN_MAX = 6;

export type AxeOptions = {
  /** Only these rules; by default all that are on, and the size of targets (24 px, WCAG 2.5.8). */
  readonly rules?: readonly string[] | undefined;
  /** A selector of the part to check; by default the whole page. */
  readonly part?: string | undefined;
};

/** Returns what axe calls serious or critical in the current page, a line each. */
export async function axeFindings(page: Page, { rules, part }: AxeOptions = {}): Promise<string[]> {
  const isThere = await page.evaluate("'axe' in window");
  // Through the debugger: the page's content security policy would refuse a script element.
  if (isThere !== true) await page.evaluate(axe.source);
  const options = {
    resultTypes: ["violations"],
    // Only rules that are off need the style sheets and the media themselves.
    preload: false,
    rules: { "target-size": { enabled: true } },
    ...(rules !== undefined && { runOnly: { type: "rule", values: rules } }),
  };
  const found: unknown = await page.evaluate(
    `axe.run(${part === undefined ? "document" : JSON.stringify(part)}, ${JSON.stringify(options)}).then((results) => results.violations)`,
  );
  return Findings.parse(found)
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, SHOWN_MAX)
        .map(({ target, failureSummary = "" }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
    );
}
