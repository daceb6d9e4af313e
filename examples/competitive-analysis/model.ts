/** Eight steps; the second looks three things up for each competitor that the first one finds. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const COMPETITORS =
  "SELECT name, slug, tent, backpack, jacket FROM competitors ORDER BY sales_million DESC LIMIT 3";

const forEachCompetitor = (site: string) => (id: string, description: string, page: string) => ({
  id,
  description,
  tool: "http.fetch",
  args: { url: `${site}{{item.slug}}/${page}.md` },
  flow: { when: null, forEach: "s1.output.rows" },
});

const write = (id: string, description: string, context: Record<string, unknown>) => ({
  id,
  description,
  tool: "model.write",
  args: { prompt: description, context },
});

const planFor = (site: string) => ({
  reasoning:
    "Who they are comes first; what is looked up of each needs nothing else, so that all nine run at once.",
  steps: [
    {
      id: "s1",
      description: "Identify the top 3 competitors",
      tool: "sql.query",
      args: { source: "competitors", sql: COMPETITORS },
    },
    forEachCompetitor(site)("s2a", "Gather the product features of each", "features"),
    forEachCompetitor(site)("s2b", "Collect the prices of each", "pricing"),
    forEachCompetitor(site)("s2c", "Analyze the customer reviews of each", "reviews"),
    write("s3", "Compare the features side by side", { features: { $ref: "s2a.output" } }),
    write("s4", "Analyze the pricing strategies", { prices: { $ref: "s2b.output" } }),
    write("s5", "Synthesize strengths and weaknesses", {
      features: { $ref: "s3.output.text" },
      prices: { $ref: "s4.output.text" },
      reviews: { $ref: "s2c.output" },
    }),
    {
      id: "s6",
      description: "Generate the visual comparison",
      tool: "chart.render",
      args: {
        name: "prices",
        spec: {
          width: 300,
          height: 200,
          mark: "bar",
          encoding: {
            x: { field: "name", type: "nominal", title: null, axis: { labelAngle: 0 } },
            y: { field: "tent", type: "quantitative", title: "Price of a tent" },
          },
        },
        data: { $ref: "s1.output.rows" },
      },
    },
    write("s7", "Write the executive summary", { findings: { $ref: "s5.output.text" } }),
    {
      id: "s8",
      description: "Compile the report",
      tool: "report.render",
      args: {
        path: "report",
        title: "Competitive analysis",
        markdown:
          "{{s7.output.text}}\n\n## Features\n\n{{s3.output.text}}\n\n## Prices\n\n{{s4.output.text}}\n\n" +
          "```table prices\n```\n\n```chart tents\n```\n\n## Strengths and weaknesses\n\n{{s5.output.text}}\n",
        tables: [
          {
            name: "prices",
            rows: { $ref: "s1.output.rows" },
            columns: { name: "Competitor", tent: "Tent", backpack: "Backpack", jacket: "Jacket" },
          },
        ],
        charts: [{ name: "tents", file: { $ref: "s6.output.path" }, caption: "Price of a tent" }],
      },
    },
  ],
  answerFrom: "s7",
});

export const script: ModelScript = {
  plan: ({ user }) => planPieces(planFor(/http:\S+\//.exec(user)?.[0] ?? "")),
  write({ blocks }) {
    const task = (blocks.get("task") ?? "").trim();
    // The context is what the plan above asks for.
    const { features, prices, reviews, findings } = JSON.parse(blocks.get("context") ?? "{}") as Context;
    if (task.startsWith("Compare")) return tableOf(textsOf(features));
    if (task.startsWith("Analyze")) return listOf(textsOf(prices));
    if (task.startsWith("Synthesize"))
      return `${textsOf(reviews).length} competitors:\n\n${listOf(textsOf(reviews))}`;
    return `Summary of ${findings ?? "nothing"}`;
  },
};

type Page = { readonly text: string };
type Context = {
  readonly features?: readonly Page[];
  readonly prices?: readonly Page[];
  readonly reviews?: readonly Page[];
  readonly findings?: string;
};

function textsOf(pages: readonly Page[] = []): string[] {
  return pages.map(({ text }) => text.trim());
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** `Highpeak: repairs…` becomes a row. */
function tableOf(lines: readonly string[]): string {
  const rows = lines.map((line) => `| ${line.split(": ").join(" | ")} |`);
  return ["| competitor | features |", "|---|---|", ...rows].join("\n");
}
