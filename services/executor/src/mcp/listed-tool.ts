import type { JsonObject } from "@planwright/plan";
import type { ToolHints } from "./tool-risk.ts";

/** A tool as its server lists it. */
export type ListedTool = {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
  readonly annotations?: ToolHints | undefined;
};
