import type { Approval, JsonObject } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import { useLoaded } from "../ui/use-loaded.ts";

/** By how much a budget is raised: what the gateway takes as its edits. */
const BUDGET_RAISE: JsonObject = {
  type: "object",
  properties: {
    tokens: { type: "integer", exclusiveMinimum: 0 },
    usd: { type: "number", exclusiveMinimum: 0 },
    seconds: { type: "integer", exclusiveMinimum: 0 },
    steps: { type: "integer", exclusiveMinimum: 0 },
  },
  additionalProperties: false,
};

export type ArgumentSchema =
  | { readonly phase: "loading" }
  /** `schema` is undefined if no executor offers the tool now, or if the tools cannot be read. */
  | { readonly phase: "ready"; readonly schema: JsonObject | undefined };

/** The JSON schema of what an approval's edits are: of its tool's arguments, or of more budget. */
export function useArgumentSchema({ kind, tool }: Pick<Approval, "kind" | "tool">): ArgumentSchema {
  const { gateway } = useServices();
  const loaded = useLoaded("tools", 0, (signal) =>
    kind === "budget" ? Promise.resolve(undefined) : gateway.tools(signal),
  );
  if (kind === "budget") return { phase: "ready", schema: BUDGET_RAISE };
  if (loaded.phase === "loading") return loaded;
  const tools = loaded.phase === "ready" ? (loaded.value?.tools ?? []) : [];
  return { phase: "ready", schema: tools.find(({ name }) => name === tool)?.input };
}
