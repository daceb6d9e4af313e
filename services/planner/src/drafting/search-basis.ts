import { type Expansion, SearchSettings, type ToolSpec } from "@planwright/plan";
import type { DraftRequest } from "./draft-request.ts";

/** Where a search begins. */
export const FIRST_EXPANSION: Expansion = { path: [], width: SearchSettings.parse({}).width, tried: [] };

/** What a search's actions are drafted from: what is only tried must leave nothing behind, so it has the tools that read. */
export function searchBasis(
  tools: ReadonlyMap<string, ToolSpec>,
  expansion: Expansion,
): Pick<DraftRequest, "tools" | "expansion"> {
  return { tools: new Map([...tools].filter(([, { effect }]) => effect === "read")), expansion };
}
