import { createDocsIndex } from "../../services/executor/src/docs/docs-search.ts";
import { createTools } from "../../services/executor/src/tools/index.ts";

/** The tools of an installation in which everything is configured, mail and web search included; dispose of them afterwards. */
export function createAllTools(): ReturnType<typeof createTools> {
  return createTools({
    docs: createDocsIndex({ folder: "none", now: () => 0 }),
    httpFetchAllow: [],
    webSearch: { name: "none", search: async () => [] },
    mail: {
      from: { name: "", address: "plans@example.org" },
      sender: { send: async () => ({ accepted: [], rejected: [], response: "" }) },
    },
  });
}
