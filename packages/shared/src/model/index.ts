export { CHECK_SCHEMA, ModelCheck } from "./check/check-model.ts";
export { askForModelChecks, serveModelCheck } from "./check/serve-model-check.ts";
export { createModelClient } from "./create-model-client.ts";
export { extractJson } from "./extract-json.ts";
export { exceededLimits, SCHEMA_LIMITS, schemaSize } from "./schema-limits.ts";
export { mayHaveCost } from "./may-have-cost.ts";
export { ModelPatience, type PatienceOptions, ModelUnavailableError } from "./model-patience.ts";
export { reportTries } from "./report-tries.ts";
export { SpendingMeter } from "./spending-meter.ts";
export type {
  ModelClient,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ModelUsage,
  OutputSchema,
} from "./model-client.ts";
export { MODEL_LIMITS, type ModelClientOptions, type ModelLimits } from "./model-context.ts";
export { estimateTokens, planUsage } from "./model-usage.ts";
export {
  parseStructured,
  strictSchemaOf,
  type Structured,
  type StructuredIssue,
} from "./parse-structured.ts";
export { tellCallsOver, ToldCall } from "./told-call.ts";
export { salvageText, type SalvagedText } from "./salvage-text.ts";
export { roomAfter, REASONING_ONLY, truncationOf } from "./truncation.ts";
export { DEMO_NO_QUESTION, DEMO_NOT_UNDERSTOOD, DEMO_OUT_OF_SCOPE, demoRefusalStatus } from "./demo-model.ts";
