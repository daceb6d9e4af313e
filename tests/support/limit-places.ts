/** Where each limit of docs/limits.md is in the code, by its name there. */
export type LimitPlace =
  | { readonly setting: string }
  /** A member of `LIMITS`. */
  | { readonly limit: string }
  /** A constant, or whatever stands before the number in the file; white space counts for nothing. */
  | { readonly file: string; readonly place: string };

const LIMIT_NAMES = {
  "Steps in a plan": "stepsMax",
  "Steps in a model's draft that run without approval": "unapprovedStepsMax",
  "Arguments of a step, before and after references are resolved": "argsBytesMax",
  "Nesting depth of an output, and of resolved arguments": "levelsMax",
  "Items of a step that runs once per list item": "itemsMax",
  "Items of one such step that run at the same time": "itemsAtOnceMax",
  "Attempts of a step": "attemptsMax",
  "Waves of a plan": "wavesMax",
  "Nesting depth of sub-plans": "subPlanDepthMax",
  "Revisions of a plan, by default": "replansMax",
  "Steps of one plan in flight": "inFlightMax",
  "Drafts of a plan that are interrupted by crashes": "draftsInterruptedMax",
  "Consecutive pauses for a model server that does not answer": "modelPausesMax",
  "Review rounds per plan": "joinsMax",
  "Drafts of one step for its reviewer": "reviewIterationsMax",
  "Chained fallbacks of a step": "fallbacksMax",
  "Time until a delayed start (`startAt`)": "startAheadMsMax",
  "Answer stored inside an event": "answerBytesMax",
};

const SETTINGS = {
  "Uploaded data sources per tenant": "UPLOADS_PER_TENANT_MAX",
  "Total size of these uploads": "UPLOAD_BYTES_PER_TENANT_MAX",
  "Requests per tenant per minute": "HTTP_REQUESTS_PER_MINUTE",
  "Submissions in flight to the log": "SUBMISSIONS_IN_FLIGHT_MAX",
  "Open plans": "OPEN_PLANS_MAX",
  "Watchers of a plan, per gateway": "WATCHERS_PER_PLAN_MAX",
  "Time without reading by a client": "READER_STALL",
  "Consecutive failed model calls in one piece of work": "MODEL_TRIES_MAX",
};

const IN_FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "packages/plan/src/check/scan-value.ts": {
    "Nesting depth of lists and objects in a step": "DEPTH_MAX",
  },
  "packages/plan/src/language/parse-condition.ts": {
    "Length of a condition, in characters": "CONDITION_CHARS_MAX",
    "Nesting depth of brackets in a condition": "LEVELS_MAX",
  },
  "packages/plan/src/values/retry-delay.ts": {
    "Delay between two attempts": "RETRY_DELAY_MS_MAX",
  },
  "packages/plan/src/language/plan-language.ts": {
    "Timeout of a step (`timeoutMs`)": "timeoutMs: z .int() .min(1) .max",
  },
  "packages/plan/src/language/submission.ts": {
    "Revisions that a submission can allow (`maxReplans`)": "maxReplans: z.int().min(0).max",
    Goal: "goal: z.string().trim().min(1).max",
  },
  "packages/plan/src/tree-search/search-settings.ts": {
    "Rounds of a tree search": "ITERATIONS_MAX",
    "Actions per round": "WIDTH_MAX",
    "Actions per path": "DEPTH_MAX",
  },
  "packages/plan/src/machine/step/units.ts": {
    "Steps of a [unit of light steps](light-steps.md)": "STEPS_MAX",
    "Steps of a unit that contains returned steps": "RETURNED_STEPS_MAX",
    "Arguments and outputs in the message of a unit": "CHARS_MAX",
    "Times that units return a step": "RETURNS_MAX",
  },
  "services/planner/src/sharing/step-ranks.ts": {
    "Kinds of steps whose durations a planner remembers": "KINDS_MAX",
  },
  "services/executor/src/docs/docs-search.ts": {
    "Files of a folder in which `docs.search` is a light tool": "LIGHT_FILES_MAX",
    "Total size of these files": "LIGHT_BYTES_MAX",
  },
  "services/executor/src/steps/run-unit.ts": {
    "Time in ms for which a unit starts steps": "UNIT_MS_MAX",
    "Steps of a unit that run at the same time": "AT_ONCE",
  },
  "packages/plan/src/machine/review/review-transitions.ts": {
    "Failed reviews of one output": "REVIEWS_MAX",
  },
  "packages/shared/src/jobs/model-job.ts": {
    "Unusable replies of a reviewer": "ASKED_MAX",
  },
  "services/executor/src/sql/snapshot.ts": {
    "A data source that a program receives": "SNAPSHOT_BYTES_MAX",
  },
  "services/executor/src/changeset/read-changeset.ts": {
    "Rows that a program changes": "CHANGES_MAX",
    "Total size of a program's changes": "CHANGESET_BYTES_MAX",
  },
  "services/executor/src/code-plan/data-dryrun.ts": {
    "A program's answer and changes, as an output": "OUTPUT_BYTES_MAX",
  },
  "packages/plan/src/data-rules/check-changes.ts": {
    "Rule violations reported for a set of changes": "VIOLATIONS_MAX",
  },
  "packages/plan/src/events/record-batch.ts": {
    "Events stored in one message of the log": "BATCH_EVENTS_MAX",
    "Total size of these events": "BATCH_BYTES_MAX",
  },
  "packages/plan/src/values/limits.ts": {
    "Output stored inside an event": "OUTPUT_INLINE_BYTES_MAX",
  },
  "packages/plan/src/facts/keeps-facts.ts": {
    "The same, in bytes, for a plan that keeps facts": "PAYLOAD_BYTES_MAX",
  },
  "packages/plan/src/facts/fact-ledger.ts": {
    "Facts of a plan": "FACTS_MAX",
  },
  "packages/plan/src/facts/fact.ts": {
    "Facts extracted from one output": "CLAIMS_MAX",
  },
  "packages/plan/src/machine/record-facts.ts": {
    "Open questions of a plan": "OPEN_QUESTIONS_MAX",
  },
  "packages/shared/src/artifacts/artifact-store.ts": {
    Artifact: "ARTIFACT_BYTES_MAX",
    "Name of an artifact": "ARTIFACT_NAME_CHARS_MAX",
  },
  "packages/plan/src/summarize/input-text.ts": {
    "Text for the strategy `summarize`": "INPUT_CHARS_MAX",
  },
  "services/executor/src/agents/agent-file.ts": {
    "Agent types": "TYPES_MAX",
  },
  "packages/shared/src/service/config-file.ts": {
    "File of agent types or data sources": "BYTES_MAX",
  },
  "services/executor/src/sql/child/describe-tables.ts": {
    "Length of the description of a data source, in characters": "DESCRIPTION_CHARS_MAX",
  },
  "packages/shared/src/tools/sources-file.ts": {
    "Data sources in `sources.json`": "SOURCES_MAX",
  },
  "packages/api/src/mcp.ts": {
    "Seconds per `plan_wait`": "WAIT_S_MAX",
  },
  "services/executor/src/mcp/mcp-file.ts": {
    "MCP servers": "SERVERS_MAX",
  },
  "services/executor/src/mcp/open-session.ts": {
    "Tools per MCP server": "TOOLS_MAX",
  },
  "services/executor/src/mcp/simplify-schema.ts": {
    "Schema of an MCP tool": "BYTES_MAX",
  },
  "services/executor/src/mcp/stdio-transport.ts": {
    "One message from an MCP server": "MESSAGE_BYTES_MAX",
  },
  "services/executor/src/mcp/flood-gate.ts": {
    "Data from an MCP server in 10 seconds": "BYTES_MAX",
    "Lines from an MCP server in 10 seconds": "LINES_MAX",
  },
  "services/executor/src/mcp/mcp-tool.ts": {
    "Text of an MCP tool's result": "TEXT_CHARS_MAX",
  },
  "services/executor/src/tools/model-write.ts": {
    "Continuations of one `model.write` text": "CONTINUATIONS_MAX",
  },
  "packages/plan/src/events/turn-events.ts": {
    "Turns of an `agent.react` step, over all attempts": "TURNS_MAX",
    "Tool calls of an `agent.react` step, over all turns and attempts": "LOOP_CALLS_MAX",
  },
  "packages/plan/src/events/values.ts": {
    "Tool calls in one of its turns": "TURN_CALLS_MAX",
  },
  "services/executor/src/tools/loop-course.ts": {
    "Such calls that run at the same time": "CALLS_AT_ONCE_MAX",
  },
  "packages/plan/src/machine/loop/turns.ts": {
    "Outcomes kept in the log per loop": "OUTCOMES_MAX",
  },
  "packages/plan/src/arguments/code-run.ts": {
    "Tool calls of a program, over all attempts of its step": "PROGRAM_CALLS_MAX",
  },
  "services/executor/src/steps/make-call.ts": {
    "Tries of one of its `once` calls": "TRIES_MAX",
  },
  "services/executor/src/tools/agent-react.ts": {
    "Consecutive `agent.react` turns without a result": "FAULTS_MAX",
  },
  "services/gateway/src/submit/check-submission.ts": {
    Metadata: "METADATA_BYTES_MAX",
  },
  "packages/plan/src/language/budget.ts": {
    "Tokens in a budget": "TOKENS_MAX",
    "Seconds in a budget": "SECONDS_MAX",
  },
  "packages/plan/src/machine/approval/approval-policy.ts": {
    "Time until an approval expires": "APPROVAL_EXPIRES_MS_MAX",
  },
  "packages/plan/src/events/feedback-events.ts": {
    "Feedback entries per plan": "FEEDBACK_MAX",
  },
  "services/gateway/src/submit/fork-plan.ts": {
    "Files copied into a fork": "FORKED_BYTES_MAX",
  },
  "services/gateway/src/http/decode-json.ts": {
    "Nesting depth of a request body": "DEPTH_MAX",
  },
  "services/gateway/src/http/create-app.ts": {
    "Request body": "BODY_BYTES_MAX",
    "A WebSocket frame, in addition to the body": "ENVELOPE_BYTES_MAX",
  },
  "packages/api/src/plan-ids.ts": {
    "Length of an Idempotency-Key, in characters": ".regex(/^[\\x21-\\x7e]{1,",
  },
  "packages/api/src/resources/approvals.ts": {
    "Pending approvals per page": "PAGE_MAX",
  },
  "packages/api/src/resources/plan-list.ts": {
    "Plans per page": "PAGE_MAX",
    "Plans counted per view of the list": "COUNTED_MAX",
    "Views counted per request": "VIEWS_MAX",
  },
  "services/gateway/src/book/list-watchers.ts": {
    "Plans named in one message about changes of the list": "CHANGES_MAX",
  },
  "packages/dashboard/src/plans-table/export-menu.tsx": {
    "Plans in one export of the dashboard": "EXPORTED_MAX",
  },
  "packages/dashboard/src/plans-table/selection-bar.tsx": {
    "Plans that one click in the table of plans acts on": "ACTED_ON_MAX",
  },
  "packages/api/src/events.ts": {
    "Events per page": "PAGE_MAX",
  },
  "packages/api/src/resources/plans.ts": {
    "Seconds that `GET /v1/plans/:id?wait=` waits": "WAIT_S_MAX",
  },
  "packages/plan/src/draft/past-plan.ts": {
    "Earlier plans included in the prompt for a draft": "PAST_PLANS_MAX",
  },
  "services/gateway/src/learning/find-past-plans.ts": {
    "Total length of these": "CHARS_MAX",
  },
  "services/gateway/src/figures/kpis.ts": {
    "Plans that metrics are computed from": "PLANS_MAX",
    "Periods of metrics": "PERIODS_MAX",
  },
  "services/gateway/src/figures/step-runs-table.ts": {
    "Combinations of tool, agent and model with stored run times, per tenant": "KINDS_MAX",
  },
  "packages/shared/src/bus/demand.ts": {
    "Tenants per pool that a planner reports to the others": "DEMAND_TENANTS_MAX",
  },
  "services/gateway/src/workers/read-queues.ts": {
    "Queues whose oldest message is looked up at the same time": "OLDEST_ASKED_MAX",
  },
  "services/gateway/src/metrics/model-tally.ts": {
    "Models listed separately in `/metrics`": "MODELS_MAX",
    "Errors of model calls listed separately in `/metrics`": "ERRORS_MAX",
  },
  "packages/api/src/resources/metrics.ts": {
    "Tools of metrics": "METRICS_TOOLS_MAX",
  },
  "packages/plan/src/values/add-tallies.ts": {
    "Tools that one plan is counted by": "TOOLS_MAX",
  },
  "services/gateway/src/submit/admission.ts": {
    "Total size of these submissions": "SUBMISSION_BYTES_IN_FLIGHT_MAX",
  },
  "services/gateway/src/socket/socket-watches.ts": {
    "Plans watched per socket": "WATCHES_OF_A_SOCKET_MAX",
    "Events that a watcher on a socket may fall behind": "BEHIND_MAX",
  },
  "services/gateway/src/socket/serve-socket.ts": {
    "Unanswered requests per socket": "REQUESTS_OF_A_SOCKET_MAX",
  },
  "services/gateway/src/socket/outbox.ts": {
    "Data buffered for a slow watcher": "BUFFERED_BYTES_HIGH",
    "Responses buffered for a client that does not read": "BUFFERED_BYTES_MAX",
  },
  "services/gateway/src/book/view-feeds.ts": {
    "View updates kept for a reader": "NEWS_KEPT_MAX",
    "Changes in one view update": "CHANGES_MAX",
  },
  "services/gateway/src/traces/keep-traces.ts": {
    "Received spans not processed yet": "UNREAD_BYTES_MAX",
  },
  "services/gateway/src/routes/traces.ts": {
    "A request with spans": "OTLP_BYTES_MAX",
  },
  "services/gateway/src/traces/unpack-body.ts": {
    "The same, uncompressed": "UNPACKED_BYTES_MAX",
  },
  "services/gateway/src/traces/wire-reader.ts": {
    "Messages within one Protocol Buffers message": "MESSAGES_MAX",
  },
  "services/gateway/src/traces/otlp-request.ts": {
    "Spans accepted per request": "SPANS_OF_A_REQUEST_MAX",
    "Spans refused individually per request": "SPANS_REFUSED_MAX",
    "Events, and links, per span": "PARTS_OF_A_SPAN_MAX",
    "Attributes per span, event or link": "ATTRIBUTES_MAX",
  },
  "services/gateway/src/traces/trace-store.ts": {
    "Traces kept for the trace view": "TRACES_KEPT_MAX",
    "Total spans of these traces": "SPANS_KEPT_MAX",
    "Approximate memory of these traces": "SPAN_BYTES_KEPT_MAX",
    "Approximate memory per trace": "SPAN_BYTES_OF_A_TRACE_MAX",
    "Spans per trace": "SPANS_OF_A_TRACE_MAX",
  },
  "services/gateway/src/book/log-reader.ts": {
    "Plans waiting to be read from the log for requests": "READS_WAITING_MAX",
  },
  "packages/shared/src/queue/delivery-trial.ts": {
    "Failures of a piece of work reported by workers": "FAILURES_MAX",
    "Deaths of a worker that ran only this work ([rule](failure-contract.md#which-work-killed-its-worker))":
      "DEATHS_ALONE_MAX",
    "Deliveries of it lost in any other way": "LOST_MAX",
  },
  "packages/shared/src/bus/streams/topology.ts": {
    "Dead letters": "DEAD_LETTERS_MAX",
  },
  "packages/shared/src/bus/publisher.ts": {
    "Unacknowledged messages per service": "UNANSWERED_MAX",
  },
  "services/executor/src/net/create-fetcher.ts": {
    "A fetched page or text": "totalMs: 30_000, bodyBytesMax:",
    "A fetched PDF or Word document": "1024 * 1024, documentBytesMax:",
  },
  "services/executor/src/documents/text-extract.ts": {
    "A file whose text is extracted": "FILE_BYTES_MAX",
  },
  "services/executor/src/documents/child/docx-to-text.ts": {
    "Content read from a Word document, uncompressed": "UNPACKED_BYTES_MAX",
  },
  "services/executor/src/documents/child/pdf-to-text.ts": {
    "Pages in a PDF": "PAGES_MAX",
  },
  "services/executor/src/documents/child/plain-text.ts": {
    "Text of a document": "TEXT_CHARS_MAX",
  },
  "services/executor/src/web-search/web-search.ts": {
    "Query of a web search": "QUERY_CHARS_MAX",
  },
  "services/executor/src/web-search/ask-provider.ts": {
    "Response of a search provider": "totalMs: 15_000, bodyBytesMax:",
  },
  "services/executor/src/mail/mail-message.ts": {
    "Addresses in each of `to` and `cc` in an e-mail": "RECIPIENTS_MAX",
    "Text of an e-mail": "BODY_CHARS_MAX",
    "Attachments per e-mail": "ATTACHMENTS_MAX",
  },
  "services/executor/src/mail/compose-mail.ts": {
    "Total size of these attachments": "ATTACHED_BYTES_MAX",
  },
  "services/executor/src/steps/create-reuse.ts": {
    "Outputs that a worker caches for equal calls": "ENTRIES_MAX",
    "Total size of these outputs": "const BYTES_MAX =",
    "Size of one of these outputs": "ENTRY_BYTES_MAX",
  },
  "services/executor/src/files/files-list.ts": {
    "Listed files per plan": "FILES_MAX",
  },
  "services/executor/src/report/child/write-pdf.ts": {
    "Pages in a report's PDF": "PAGES_MAX",
  },
  "services/executor/src/report/report-render.ts": {
    "Markdown in a report": "MARKDOWN_CHARS_MAX",
    "Charts, and tables, per report": "FIGURES_MAX",
    "Rows per table in a report": "ROWS_MAX",
    "Columns per table in a report": "COLUMNS_MAX",
  },
  "services/executor/src/report/child/render-report.ts": {
    "Size of a file in a report": "FILE_BYTES_MAX",
  },
  "packages/shared/src/model/model-context.ts": {
    "Time for which a piece of work retries a model server that does not answer": "patienceMs",
  },
  "packages/shared/src/service/model-config.ts": {
    "Fallback models per role": "FALLBACKS_MAX",
  },
  "packages/shared/src/model/reply/read-reply.ts": {
    "A model's reply": "REPLY_CHARS_MAX",
  },
};

export const LIMIT_PLACES: ReadonlyMap<string, LimitPlace> = new Map<string, LimitPlace>([
  ...Object.entries(LIMIT_NAMES).map(([name, limit]) => [name, { limit }] as const),
  ...Object.entries(SETTINGS).map(([name, setting]) => [name, { setting }] as const),
  ...Object.entries(IN_FILES).flatMap(([file, places]) =>
    Object.entries(places).map(([name, place]) => [name, { file, place }] as const),
  ),
]);
