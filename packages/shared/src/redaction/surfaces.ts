/** Where values are shown, and which of their fields contain our own names: ids and states, which are never replaced. */

export type Surface = {
  /** Whether all of it is a plan's own content, so that keys and numbers are redacted too. */
  readonly isContent: boolean;
  /** Whether the value of this key is a plan's own content. */
  isContentAt(key: string, holder: Readonly<Record<string, unknown>>): boolean;
  /** Whether the value of this key is left unchanged. */
  keeps(
    key: string,
    value: unknown,
    at: { readonly path: readonly string[]; readonly isContent: boolean },
  ): boolean;
};

/** Any JSON, without our own fields. */
export const VALUES: Surface = { isContent: true, isContentAt: () => true, keeps: () => false };

/** The form of our own names. An address has another form. */
const NAME = /^[\w.:/#+-]{0,300}$/;

function isName(value: unknown): boolean {
  if (typeof value === "string") return NAME.test(value);
  return Array.isArray(value) && value.every((entry) => typeof entry === "string" && NAME.test(entry));
}

const OF_LOG_LINES = new Set(["level", "time", "pid", "hostname", "name"]);
const IDS_OF_LOG_LINES = new Set(["planId", "stepId", "attempt", "workerId", "traceId", "spanId", "eventId"]);

/** A line of a service's log. */
export const LOG_LINES: Surface = {
  isContent: true,
  isContentAt: () => true,
  keeps: (key, value, { path }) =>
    path.length === 0 &&
    (OF_LOG_LINES.has(key) || (IDS_OF_LOG_LINES.has(key) && (typeof value === "number" || isName(value)))),
};

/** A span's name, attributes, events and error. The names of attributes are ours, as are the names of plan and step. */
export const SPANS: Surface = {
  isContent: false,
  isContentAt: (key) => key === "attributes",
  keeps: (key, value, { isContent }) =>
    (isContent && IDS_OF_SPANS.has(key) && isName(value)) || (!isContent && key === "timeMs"),
};
const IDS_OF_SPANS = new Set(["plan.id", "step.id", "error.type", "exception.type"]);

/** The fields of views and events that contain names and states. */
const NAMES = new Set(
  (
    "planId traceId spanId parentSpanId stepId approvalId eventId workerId id type status kind code outcome answerStatus parent " +
    "child decision choices tool tools pool agent model strategy risk effect dependsOn verifies verifiedBy fallback compensate " +
    "replacedBy answerFrom stepIds causedBy waitingFor phase priority hash argsHash contentType nextCursor tenant role roles " +
    "service requiredBy at until startTimeUnixNano endTimeUnixNano timeUnixNano plan.id step.id"
  ).split(" "),
);
const TIME = /^[\dT:.Z+-]{10,40}$/;

/** Fields that contain a plan's input or results. */
const CONTENT = new Set(
  "args arguments proposed edits details metadata output answer value data payload input attributes sample samples".split(
    " ",
  ),
);

/** The API's responses: views, events, lists, problems, traces. */
export const VIEWS: Surface = {
  isContent: false,
  isContentAt: (key, holder) => CONTENT.has(key) && !isOurs(key, holder),
  keeps: (key, value, { isContent }) => {
    // A span's attribute names are ours at every depth, and never occur in arguments.
    if (key === "plan.id" || key === "step.id") return isName(value);
    if (isContent) return false;
    return NAMES.has(key) ? isName(value) : typeof value === "string" && isTime(key, value);
  },
};

function isTime(key: string, value: string): boolean {
  return key.endsWith("At") && TIME.test(value);
}

/** The data of an event, and an answer or output with our own fields, contain content further inside. */
function isOurs(key: string, holder: Readonly<Record<string, unknown>>): boolean {
  const value = holder[key];
  if (typeof value !== "object" || value === null) return false;
  if (key === "data") return typeof holder["type"] === "string" && typeof holder["planId"] === "string";
  if (key === "answer") return "text" in value && "status" in value;
  return key === "output" && isArtifact(value);
}

function isArtifact(output: object): boolean {
  if (!("artifact" in output) || typeof output.artifact !== "object" || output.artifact === null)
    return false;
  const { artifact } = output;
  return (
    "name" in artifact && typeof artifact.name === "string" && "bytes" in artifact && "preview" in output
  );
}
