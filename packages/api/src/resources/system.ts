/** The system itself: version, models, health and API descriptions. */
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";

export const System = z.object({
  version: z.string(),
  demoModel: z.boolean().meta({
    description:
      "Whether the built-in demo model is used, whose replies come from rules instead of a language model.",
  }),
  models: z.object({ planner: z.string(), executor: z.string(), reflector: z.string() }),
  traces: z.object({
    to: z
      .enum(["embedded", "endpoint", "both"])
      .meta({ description: "Whether spans go to this gateway, to another receiver, or to both." }),
    endpoint: z.string().optional().meta({ description: "The host of the other receiver." }),
    url: z
      .string()
      .optional()
      .meta({ description: "URL of a trace in an external viewer, with the placeholder `{traceId}`." }),
  }),
});
export type System = z.output<typeof System>;

export const ModelCheck = z.object({
  role: z.string(),
  fallback: z
    .int()
    .positive()
    .optional()
    .meta({ description: "Number of the role's fallback model, from 1; absent for the role's main model." }),
  model: z.string(),
  server: z.string().meta({ description: "Scheme, host and port of the server." }),
  answeredBy: z.string().optional().meta({ description: "The model that the server reports." }),
  format: z.enum(["json_schema", "json_object", "prompt"]).optional().meta({
    description:
      "The form of structured output that works. `prompt`: only through instructions in the prompt.",
  }),
  latencyMs: z.number().nonnegative().optional(),
  isJson: z.boolean().optional().meta({ description: "Whether the reply was JSON." }),
  keyWithheld: z.string().optional().meta({
    description: "Set if OPENAI_API_KEY is not sent to this server: the setting for a key for this server.",
  }),
  error: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .meta({ description: "The cause and the fix; absent if the model answered." }),
});
export type ModelCheck = z.output<typeof ModelCheck>;

export const ModelChecks = z.object({ checks: z.array(ModelCheck) });
export type ModelChecks = z.output<typeof ModelChecks>;

export const Alive = z.object({ alive: z.literal(true), version: z.string() });
export const Ready = z.object({
  ready: z.boolean(),
  missing: z.array(z.string()).meta({ description: "Missing parts of the system; empty if it is ready." }),
});

/** An OpenAPI 3.1 document. */
export const OpenApi = z.looseObject({ openapi: z.string() });

const tag = "system";
const HTML = ["text/html"] as const;

export const getSystem = defineEndpoint({
  id: "getSystem",
  method: "GET",
  path: "/v1/system",
  tag,
  summary: "Get the version and the models",
  responses: { 200: System },
  example: {
    response: {
      version: "0.1.0",
      demoModel: false,
      models: { planner: "gpt-5", executor: "gpt-5-mini", reflector: "gpt-5-mini" },
      traces: { to: "embedded" },
    },
  },
});

export const checkModels = defineEndpoint({
  id: "checkModels",
  method: "POST",
  path: "/v1/models/check",
  tag,
  summary: "Check the models",
  description:
    "Sends a small request to the model of each role and to each of its fallback models. For each, the response contains the model that answered, the form of structured output that works, and the latency; or the cause of the failure and how to fix it.",
  responses: { 200: ModelChecks },
});

export const getHealth = defineEndpoint({
  id: "getHealth",
  method: "GET",
  path: "/healthz",
  tag,
  summary: "Check that the gateway is alive, and get its version",
  responses: { 200: Alive },
  example: { response: { alive: true, version: "0.1.0" } },
});

export const getReadiness = defineEndpoint({
  id: "getReadiness",
  method: "GET",
  path: "/readyz",
  tag,
  summary: "Check that the system is ready",
  responses: { 200: Ready, 503: Ready },
  example: { response: { ready: true, missing: [] } },
});

export const getOpenApi = defineEndpoint({
  id: "getOpenApi",
  method: "GET",
  path: "/openapi.json",
  tag,
  summary: "Get the OpenAPI description",
  responses: { 200: OpenApi },
});

export const getReference = defineEndpoint({
  id: "getReference",
  method: "GET",
  path: "/docs",
  tag,
  summary: "Get the API documentation as a page",
  responses: { 200: { mediaTypes: HTML, description: "The page." } },
});

/** The Model Context Protocol: JSON-RPC over streamable HTTP. */
export const callMcp = defineEndpoint({
  id: "callMcp",
  method: "POST",
  path: "/mcp",
  tag,
  summary: "Call the Model Context Protocol server",
  description: "Uses Streamable HTTP without sessions. See docs/mcp.md.",
  bodyMedia: { mediaTypes: ["application/json"], description: "A JSON-RPC message." },
  responses: {
    200: { mediaTypes: ["application/json", "text/event-stream"], description: "JSON-RPC messages." },
    202: null,
    400: { mediaTypes: ["application/json"], description: "A JSON-RPC error." },
  },
});
