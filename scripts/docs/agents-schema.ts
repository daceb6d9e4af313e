import { AgentFile } from "@planwright/executor";
import { z } from "zod";

/** The JSON Schema of the agent types file, for editors. */
export function agentsSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(AgentFile, { io: "input" }), undefined, 2)}\n`;
}
