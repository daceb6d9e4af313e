/** The tools that plans can use, and the agent types that steps can name. */
import { AgentType, PoolName, ToolSpec } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";

/** The prompt belongs to the operator and is not shown. */
export const AgentInfo = AgentType.omit({ system: true }).extend({ name: z.string(), pool: PoolName });
export type AgentInfo = z.output<typeof AgentInfo>;

export const Tools = z.object({
  tools: z.array(ToolSpec),
  agents: z.array(AgentInfo),
  agentsDigest: z.string().optional().meta({
    description:
      "Digest of the file that defines the agent types. A worker with a different digest was started with a different file.",
  }),
});
export type Tools = z.output<typeof Tools>;

export const listTools = defineEndpoint({
  id: "listTools",
  method: "GET",
  path: "/v1/tools",
  tag: "system",
  summary: "List the tools and agent types",
  responses: { 200: Tools },
  example: {
    response: {
      tools: [
        {
          name: "flow.echo",
          description: "Return its value.",
          input: { type: "object", properties: { value: {} }, required: ["value"] },
          output: {},
          risk: "low",
          effect: "read",
          timeoutMs: 1_000,
          pool: "default",
          untrusted: false,
        },
      ],
      agents: [],
    },
  },
});
