export { NO_REDACTION, type Redaction } from "./redaction.ts";
export { parseExact } from "./exact-json.ts";
export { createRedactor, type Redactor, TEXT_CHARS_MAX } from "./redactor.ts";
export { VIEWS } from "./surfaces.ts";
