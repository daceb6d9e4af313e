/** Three searches and one page that cannot be reached: the answer says so and keeps everything else. */
import { judgementText, type ModelScript, planPieces } from "@planwright/testkit";

const FRAMEWORKS = ["Django", "FastAPI", "Flask"];

const plan = {
  reasoning: "One search for each framework, and its download figures from a page.",
  steps: [
    ...FRAMEWORKS.map((name) => ({
      id: name.toLowerCase(),
      description: `Look up ${name}`,
      tool: "docs.search",
      args: { query: `${name} framework suits drawback`, limit: 1 },
    })),
    {
      id: "downloads",
      description: "Fetch the download figures",
      tool: "http.fetch",
      args: { url: "http://169.254.169.254/downloads" },
    },
    {
      id: "table",
      description: "Create the comparison table",
      tool: "model.write",
      args: {
        prompt: "Create a comparison table with one row for each framework.",
        context: FRAMEWORKS.map((name) => ({
          name,
          passage: { $ref: `${name.toLowerCase()}.output.hits[0].snippet` },
        })),
      },
    },
  ],
};

type Result = { readonly id: string; readonly status: string; readonly output?: { readonly text?: string } };

export const script: ModelScript = {
  plan: () => planPieces(plan),
  write({ blocks }) {
    const rows = JSON.parse(blocks.get("context") ?? "[]") as { name: string; passage: string }[];
    const cell = (text: string) => text.replaceAll(/[|\s]+/g, " ").trim();
    const lines = rows.map(({ name, passage }) => `| ${name} | ${cell(passage)} |`);
    return ["| framework | notes |", "|---|---|", ...lines].join("\n");
  },
  judgement({ blocks }) {
    const results = JSON.parse(blocks.get("results") ?? "[]") as Result[];
    const table = results.find(({ id }) => id === "table")?.output?.text ?? "";
    return judgementText({
      status: "partial",
      text: table,
      sources: ["django", "fastapi", "flask", "table"],
    });
  },
};

/** The page with the download figures cannot be reached. */
export const expected = "partial";
