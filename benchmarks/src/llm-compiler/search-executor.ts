/** The simulation's executor: the ordinary one, with a tool that calls the simulation's search service. */
import { defineTool, executorWith } from "@planwright/executor";
import { runService } from "@planwright/shared/service";
import { z } from "zod";
import { SEARCH_TOOL } from "./model/replies.ts";

const SEARCH_URL = z.url().parse(process.env["SEARCH_URL"]);

const Found = z.object({ text: z.string(), value: z.number().optional() });

const search = defineTool({
  name: SEARCH_TOOL,
  description:
    "Look one thing up in an encyclopedia; search for one thing at a time. " +
    'Output: {"text": the start of its article, "value": the figure that was asked for, if there is one}.',
  input: z.strictObject({ query: z.string().min(1).max(500) }),
  output: Found,
  risk: "low",
  effect: "read",
  timeoutMs: 30_000,
  run: async ({ query }, { signal }) => {
    const response = await fetch(`${SEARCH_URL}/search?q=${encodeURIComponent(query)}`, { signal });
    return Found.parse(await response.json());
  },
});

await runService(executorWith([search]));
