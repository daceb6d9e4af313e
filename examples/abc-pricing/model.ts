/** What a good model would plan and write: three searches that need nothing of each other, then a comparison. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const search = (vendor: string) => ({
  id: `search-${vendor.toLowerCase()}`,
  description: `Find vendor ${vendor}'s pricing`,
  tool: "docs.search",
  args: { query: `Vendor ${vendor} pricing plans`, limit: 2 },
});

const plan = {
  reasoning: "The three searches are independent; the comparison needs all of them.",
  steps: [
    search("A"),
    search("B"),
    search("C"),
    {
      id: "compare",
      description: "Compare the three price lists",
      tool: "model.write",
      args: {
        prompt: "Compare the prices of the three vendors in a table.",
        context: {
          a: { $ref: "search-a.output.hits" },
          b: { $ref: "search-b.output.hits" },
          c: { $ref: "search-c.output.hits" },
        },
      },
    },
    {
      id: "report",
      description: "Write the summary report",
      tool: "model.write",
      args: { prompt: "Write a short summary report.", context: { $ref: "compare.output.text" } },
    },
  ],
  answerFrom: "report",
};

export const script: ModelScript = {
  // The last step is held back until another one has run: dispatch does not wait for the end of the plan.
  plan: (call) => planPieces(plan, (stepId) => (stepId === "report" ? call.hold("last-step") : undefined)),
  write: ({ blocks, number }) =>
    number === 1 ? compare(blocks.get("context")) : report(blocks.get("context")),
};

type Hit = { readonly snippet: string };

/** One line for each vendor: the first price that its passages name. */
function compare(context = "{}"): string {
  // The context is what the plan above asks for.
  const found = JSON.parse(context) as Readonly<Record<string, readonly Hit[]>>;
  const rows = Object.entries(found).map(([vendor, hits]) => {
    const price = hits.flatMap(({ snippet }) => /^- (.+)$/m.exec(snippet)?.[1] ?? [])[0];
    return `| ${vendor.toUpperCase()} | ${price ?? "no price found"} |`;
  });
  return ["| vendor | smallest plan |", "|---|---|", ...rows].join("\n");
}

function report(comparison = ""): string {
  return `The smallest plans of the three vendors:\n\n${comparison.trim()}`;
}
