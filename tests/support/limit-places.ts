/** Where each limit of docs/limits.md stands in the code, by its name there. */
export type LimitPlace =
  | { readonly setting: string }
  /** A member of `LIMITS`. */
  | { readonly limit: string }
  /** A constant, or whatever stands before the number in the file; white space counts for nothing. */
  | { readonly file: string; readonly place: string };

export const LIMIT_PLACES: Readonly<Record<string, LimitPlace>> = {
  "Steps in a plan": { limit: "stepsMax" },
  "Steps in a model's draft that run without approval": { limit: "unapprovedStepsMax" },
  "Arguments of a step, before and after references are resolved": { limit: "argsBytesMax" },
  "Nesting depth of lists and objects in a step": {
    file: "packages/plan/src/check/scan-value.ts",
    place: "DEPTH_MAX",
  },
  "Nesting depth of an output, and of resolved arguments": { limit: "levelsMax" },
  "Length of a condition, in characters": {
    file: "packages/plan/src/condition/parse-condition.ts",
    place: "CONDITION_CHARS_MAX",
  },
  "Nesting depth of brackets in a condition": {
    file: "packages/plan/src/condition/parse-condition.ts",
    place: "LEVELS_MAX",
  },
  "Items of a step that runs once per list item": { limit: "itemsMax" },
  "Items of one such step that run at the same time": { limit: "itemsAtOnceMax" },
  "Attempts of a step": { limit: "attemptsMax" },
  "Delay between two attempts": { file: "packages/plan/src/retry-delay.ts", place: "RETRY_DELAY_MS_MAX" },
  "Waves of a plan": { limit: "wavesMax" },
  "Nesting depth of sub-plans": { limit: "subPlanDepthMax" },
  "Timeout of a step (`timeoutMs`)": {
    file: "packages/plan/src/plan-language.ts",
    place: "timeoutMs: z .int() .min(1) .max",
  },
  "Revisions of a plan, by default": { limit: "replansMax" },
  "Revisions that a submission can allow (`maxReplans`)": {
    file: "packages/plan/src/submission.ts",
    place: "maxReplans: z.int().min(0).max",
  },
  "Rounds of a tree search": {
    file: "packages/plan/src/tree-search/search-settings.ts",
    place: "ITERATIONS_MAX",
  },
  "Actions per round": { file: "packages/plan/src/tree-search/search-settings.ts", place: "WIDTH_MAX" },
  "Actions per path": { file: "packages/plan/src/tree-search/search-settings.ts", place: "DEPTH_MAX" },
  "Follow-up steps per work message": { file: "packages/plan/src/follow-ups.ts", place: "FOLLOW_UPS_MAX" },
  "Total time in ms for which they hold their slot": {
    file: "services/executor/src/steps/follow-up-time.ts",
    place: "FOLLOW_UPS_MS_MAX",
  },
  "Light steps in one message": { file: "packages/plan/src/state/bundle-ready.ts", place: "BUNDLE_MAX" },
  "Steps of one plan in flight": { limit: "inFlightMax" },
  "Drafts of a plan that are interrupted by crashes": { limit: "draftsInterruptedMax" },
  "Consecutive pauses for a model server that does not answer": { limit: "modelPausesMax" },
  "Review rounds per plan": { limit: "joinsMax" },
  "Drafts of one step for its reviewer": { limit: "reviewIterationsMax" },
  "Chained fallbacks of a step": { limit: "fallbacksMax" },
  "Failed reviews of one output": {
    file: "packages/plan/src/state/review-transitions.ts",
    place: "REVIEWS_MAX",
  },
  "Unusable replies of a reviewer": {
    file: "services/reflector/src/critique/ask-critic.ts",
    place: "ASKED_MAX",
  },
  "Time until a delayed start (`startAt`)": { limit: "startAheadMsMax" },
  "Answer stored inside an event": { limit: "answerBytesMax" },
  "A data source that a program receives": {
    file: "services/executor/src/sql/snapshot.ts",
    place: "SNAPSHOT_BYTES_MAX",
  },
  "Rows that a program changes": {
    file: "services/executor/src/changeset/read-changeset.ts",
    place: "CHANGES_MAX",
  },
  "Total size of a program's changes": {
    file: "services/executor/src/changeset/read-changeset.ts",
    place: "CHANGESET_BYTES_MAX",
  },
  "A program's answer and changes, as an output": {
    file: "services/executor/src/tools/data-dryrun.ts",
    place: "OUTPUT_BYTES_MAX",
  },
  "Rule violations reported for a set of changes": {
    file: "packages/plan/src/data-rules/check-changes.ts",
    place: "VIOLATIONS_MAX",
  },
  "Output stored inside an event": { file: "packages/plan/src/limits.ts", place: "OUTPUT_INLINE_BYTES_MAX" },
  "The same, in bytes, for a plan that keeps facts": {
    file: "packages/plan/src/facts/facts-policy.ts",
    place: "PAYLOAD_BYTES_MAX",
  },
  "Facts of a plan": { file: "packages/plan/src/facts/fact-ledger.ts", place: "FACTS_MAX" },
  "Facts extracted from one output": { file: "packages/plan/src/facts/fact.ts", place: "CLAIMS_MAX" },
  "Open questions of a plan": { file: "packages/plan/src/state/facts.ts", place: "OPEN_QUESTIONS_MAX" },
  Artifact: { file: "packages/shared/src/artifacts/artifact-store.ts", place: "ARTIFACT_BYTES_MAX" },
  "Uploaded data sources per tenant": { setting: "UPLOADS_PER_TENANT_MAX" },
  "Total size of these uploads": { setting: "UPLOAD_BYTES_PER_TENANT_MAX" },
  "Name of an artifact": {
    file: "packages/shared/src/artifacts/artifact-store.ts",
    place: "ARTIFACT_NAME_CHARS_MAX",
  },
  Goal: { file: "packages/plan/src/submission.ts", place: "goal: z.string().trim().min(1).max" },
  "Text for the strategy `summarize`": {
    file: "packages/plan/src/summarize/input-text.ts",
    place: "INPUT_CHARS_MAX",
  },
  "Agent types": { file: "services/executor/src/agents/agent-file.ts", place: "TYPES_MAX" },
  "File of agent types or data sources": {
    file: "packages/shared/src/service/config-file.ts",
    place: "BYTES_MAX",
  },
  "Length of the description of a data source, in characters": {
    file: "services/executor/src/sql/child/describe-tables.ts",
    place: "DESCRIPTION_CHARS_MAX",
  },
  "Data sources in `sources.json`": {
    file: "packages/shared/src/tools/sources-file.ts",
    place: "SOURCES_MAX",
  },
  "Seconds per `plan_wait`": { file: "packages/api/src/mcp.ts", place: "WAIT_S_MAX" },
  "MCP servers": { file: "services/executor/src/mcp/mcp-file.ts", place: "SERVERS_MAX" },
  "Tools per MCP server": { file: "services/executor/src/mcp/open-session.ts", place: "TOOLS_MAX" },
  "Schema of an MCP tool": { file: "services/executor/src/mcp/simplify-schema.ts", place: "BYTES_MAX" },
  "One message from an MCP server": {
    file: "services/executor/src/mcp/stdio-transport.ts",
    place: "MESSAGE_BYTES_MAX",
  },
  "Data from an MCP server in 10 seconds": {
    file: "services/executor/src/mcp/flood-gate.ts",
    place: "BYTES_MAX",
  },
  "Lines from an MCP server in 10 seconds": {
    file: "services/executor/src/mcp/flood-gate.ts",
    place: "LINES_MAX",
  },
  "Text of an MCP tool's result": {
    file: "services/executor/src/mcp/read-result.ts",
    place: "TEXT_CHARS_MAX",
  },
  "Continuations of one `model.write` text": {
    file: "services/executor/src/tools/write-whole.ts",
    place: "CONTINUATIONS_MAX",
  },
  "Turns of an `agent.react` step, over all attempts": {
    file: "packages/plan/src/events/turn-events.ts",
    place: "TURNS_MAX",
  },
  "Tool calls of an `agent.react` step, over all turns and attempts": {
    file: "packages/plan/src/events/turn-events.ts",
    place: "LOOP_CALLS_MAX",
  },
  "Tool calls in one of its turns": { file: "packages/plan/src/events/values.ts", place: "TURN_CALLS_MAX" },
  "Such calls that run at the same time": {
    file: "services/executor/src/tools/loop-course.ts",
    place: "CALLS_AT_ONCE_MAX",
  },
  "Outcomes kept in the log per loop": { file: "packages/plan/src/state/turns.ts", place: "OUTCOMES_MAX" },
  "Tool calls of a program, over all attempts of its step": {
    file: "packages/plan/src/code-run.ts",
    place: "PROGRAM_CALLS_MAX",
  },
  "Tries of one of its `once` calls": {
    file: "services/executor/src/steps/make-call.ts",
    place: "TRIES_MAX",
  },
  "Consecutive `agent.react` turns without a result": {
    file: "services/executor/src/tools/agent-react.ts",
    place: "FAULTS_MAX",
  },
  Metadata: { file: "services/gateway/src/submit/check-submission.ts", place: "METADATA_BYTES_MAX" },
  "Tokens in a budget": { file: "packages/plan/src/budget.ts", place: "TOKENS_MAX" },
  "Seconds in a budget": { file: "packages/plan/src/budget.ts", place: "SECONDS_MAX" },
  "Time until an approval expires": {
    file: "packages/plan/src/approval-policy.ts",
    place: "APPROVAL_EXPIRES_MS_MAX",
  },
  "Feedback entries per plan": { file: "packages/plan/src/events/feedback-events.ts", place: "FEEDBACK_MAX" },
  "Files copied into a fork": { file: "services/gateway/src/fork/copy-files.ts", place: "FORKED_BYTES_MAX" },
  "Request body": { file: "services/gateway/src/http/create-app.ts", place: "BODY_BYTES_MAX" },
  "Nesting depth of a request body": { file: "services/gateway/src/http/decode-json.ts", place: "DEPTH_MAX" },
  "A WebSocket frame, in addition to the body": {
    file: "services/gateway/src/socket/accept-sockets.ts",
    place: "ENVELOPE_BYTES_MAX",
  },
  "Length of an Idempotency-Key, in characters": {
    file: "packages/api/src/plan-ids.ts",
    place: ".regex(/^[\\x21-\\x7e]{1,",
  },
  "Pending approvals per page": { file: "packages/api/src/approvals.ts", place: "PAGE_MAX" },
  "Plans per page": { file: "packages/api/src/plan-list.ts", place: "PAGE_MAX" },
  "Plans counted per view of the list": { file: "packages/api/src/plan-list.ts", place: "COUNTED_MAX" },
  "Views counted per request": { file: "packages/api/src/plan-list.ts", place: "VIEWS_MAX" },
  "Plans named in one message about changes of the list": {
    file: "services/gateway/src/book/list-watchers.ts",
    place: "CHANGES_MAX",
  },
  "Plans in one export of the dashboard": {
    file: "packages/dashboard/src/plans-table/export-plans.ts",
    place: "EXPORTED_MAX",
  },
  "Plans that one click in the table of plans acts on": {
    file: "packages/dashboard/src/plans-table/run-each.ts",
    place: "ACTED_ON_MAX",
  },
  "Events per page": { file: "packages/api/src/events.ts", place: "PAGE_MAX" },
  "Seconds that `GET /v1/plans/:id?wait=` waits": { file: "packages/api/src/plans.ts", place: "WAIT_S_MAX" },
  "Earlier plans included in the prompt for a draft": {
    file: "packages/plan/src/past-plans/past-plan.ts",
    place: "PAST_PLANS_MAX",
  },
  "Total length of these": { file: "services/gateway/src/learning/find-past-plans.ts", place: "CHARS_MAX" },
  "Plans that metrics are computed from": {
    file: "services/gateway/src/figures/kpis.ts",
    place: "PLANS_MAX",
  },
  "Combinations of tool, agent and model with stored run times, per tenant": {
    file: "services/gateway/src/figures/step-runs-table.ts",
    place: "KINDS_MAX",
  },
  "Tenants per pool that a planner reports to the others": {
    file: "packages/shared/src/bus/demand.ts",
    place: "DEMAND_TENANTS_MAX",
  },
  "Queues whose oldest message is looked up at the same time": {
    file: "services/gateway/src/workers/read-queues.ts",
    place: "OLDEST_ASKED_MAX",
  },
  "Models listed separately in `/metrics`": {
    file: "services/gateway/src/metrics/model-tally.ts",
    place: "MODELS_MAX",
  },
  "Errors of model calls listed separately in `/metrics`": {
    file: "services/gateway/src/metrics/model-tally.ts",
    place: "ERRORS_MAX",
  },
  "Periods of metrics": { file: "services/gateway/src/figures/kpis.ts", place: "PERIODS_MAX" },
  "Tools of metrics": { file: "packages/api/src/metrics.ts", place: "METRICS_TOOLS_MAX" },
  "Tools that one plan is counted by": {
    file: "packages/plan/src/figures/tool-tally.ts",
    place: "TOOLS_MAX",
  },
  "Requests per tenant per minute": { setting: "HTTP_REQUESTS_PER_MINUTE" },
  "Submissions in flight to the log": { setting: "SUBMISSIONS_IN_FLIGHT_MAX" },
  "Total size of these submissions": {
    file: "services/gateway/src/submit/admission.ts",
    place: "SUBMISSION_BYTES_IN_FLIGHT_MAX",
  },
  "Open plans": { setting: "OPEN_PLANS_MAX" },
  "Watchers of a plan, per gateway": { setting: "WATCHERS_PER_PLAN_MAX" },
  "Plans watched per socket": {
    file: "services/gateway/src/socket/socket-watches.ts",
    place: "WATCHES_OF_A_SOCKET_MAX",
  },
  "Unanswered requests per socket": {
    file: "services/gateway/src/socket/serve-socket.ts",
    place: "REQUESTS_OF_A_SOCKET_MAX",
  },
  "Data buffered for a slow watcher": {
    file: "services/gateway/src/socket/outbox.ts",
    place: "BUFFERED_BYTES_HIGH",
  },
  "Events that a watcher on a socket may fall behind": {
    file: "services/gateway/src/socket/socket-watches.ts",
    place: "BEHIND_MAX",
  },
  "View updates kept for a reader": {
    file: "services/gateway/src/book/view-feeds.ts",
    place: "NEWS_KEPT_MAX",
  },
  "Changes in one view update": { file: "services/gateway/src/book/view-feeds.ts", place: "CHANGES_MAX" },
  "Time without reading by a client": { setting: "READER_STALL" },
  "Responses buffered for a client that does not read": {
    file: "services/gateway/src/socket/outbox.ts",
    place: "BUFFERED_BYTES_MAX",
  },
  "Received spans not processed yet": {
    file: "services/gateway/src/traces/keep-traces.ts",
    place: "UNREAD_BYTES_MAX",
  },
  "A request with spans": { file: "services/gateway/src/routes/receive-traces.ts", place: "OTLP_BYTES_MAX" },
  "The same, uncompressed": {
    file: "services/gateway/src/traces/unpack-body.ts",
    place: "UNPACKED_BYTES_MAX",
  },
  "Messages within one Protocol Buffers message": {
    file: "services/gateway/src/traces/wire-reader.ts",
    place: "MESSAGES_MAX",
  },
  "Spans accepted per request": {
    file: "services/gateway/src/traces/otlp-request.ts",
    place: "SPANS_OF_A_REQUEST_MAX",
  },
  "Spans refused individually per request": {
    file: "services/gateway/src/traces/otlp-request.ts",
    place: "SPANS_REFUSED_MAX",
  },
  "Events, and links, per span": {
    file: "services/gateway/src/traces/otlp-request.ts",
    place: "PARTS_OF_A_SPAN_MAX",
  },
  "Attributes per span, event or link": {
    file: "services/gateway/src/traces/attribute-values.ts",
    place: "ATTRIBUTES_MAX",
  },
  "Traces kept for the trace view": {
    file: "services/gateway/src/traces/trace-store.ts",
    place: "TRACES_KEPT_MAX",
  },
  "Total spans of these traces": {
    file: "services/gateway/src/traces/trace-store.ts",
    place: "SPANS_KEPT_MAX",
  },
  "Approximate memory of these traces": {
    file: "services/gateway/src/traces/trace-store.ts",
    place: "SPAN_BYTES_KEPT_MAX",
  },
  "Approximate memory per trace": {
    file: "services/gateway/src/traces/trace-store.ts",
    place: "SPAN_BYTES_OF_A_TRACE_MAX",
  },
  "Spans per trace": { file: "services/gateway/src/traces/trace-store.ts", place: "SPANS_OF_A_TRACE_MAX" },
  "Plans waiting to be read from the log for requests": {
    file: "services/gateway/src/book/log-reader.ts",
    place: "READS_WAITING_MAX",
  },
  "Failures of a piece of work reported by workers": {
    file: "packages/shared/src/queue/delivery-trial.ts",
    place: "FAILURES_MAX",
  },
  "Deaths of a worker that ran only this work ([rule](failure-contract.md#which-work-killed-its-worker))": {
    file: "packages/shared/src/queue/delivery-trial.ts",
    place: "DEATHS_ALONE_MAX",
  },
  "Deliveries of it lost in any other way": {
    file: "packages/shared/src/queue/delivery-trial.ts",
    place: "LOST_MAX",
  },
  "Dead letters": { file: "packages/shared/src/bus/topology.ts", place: "DEAD_LETTERS_MAX" },
  "Unacknowledged messages per service": {
    file: "packages/shared/src/bus/publish-requests.ts",
    place: "UNANSWERED_MAX",
  },
  "A fetched page or text": {
    file: "services/executor/src/net/create-fetcher.ts",
    place: "totalMs: 30_000, bodyBytesMax:",
  },
  "A fetched PDF or Word document": {
    file: "services/executor/src/net/create-fetcher.ts",
    place: "1024 * 1024, documentBytesMax:",
  },
  "A file whose text is extracted": {
    file: "services/executor/src/tools/text-extract.ts",
    place: "FILE_BYTES_MAX",
  },
  "Content read from a Word document, uncompressed": {
    file: "services/executor/src/documents/child/docx-to-text.ts",
    place: "UNPACKED_BYTES_MAX",
  },
  "Pages in a PDF": { file: "services/executor/src/documents/child/pdf-to-text.ts", place: "PAGES_MAX" },
  "Text of a document": {
    file: "services/executor/src/documents/child/plain-text.ts",
    place: "TEXT_CHARS_MAX",
  },
  "Query of a web search": { file: "services/executor/src/tools/web-search.ts", place: "QUERY_CHARS_MAX" },
  "Response of a search provider": {
    file: "services/executor/src/web-search/ask-provider.ts",
    place: "totalMs: 15_000, bodyBytesMax:",
  },
  "Addresses in each of `to` and `cc` in an e-mail": {
    file: "services/executor/src/mail/mail-message.ts",
    place: "RECIPIENTS_MAX",
  },
  "Text of an e-mail": { file: "services/executor/src/mail/mail-message.ts", place: "BODY_CHARS_MAX" },
  "Attachments per e-mail": { file: "services/executor/src/mail/mail-message.ts", place: "ATTACHMENTS_MAX" },
  "Total size of these attachments": {
    file: "services/executor/src/mail/compose-mail.ts",
    place: "ATTACHED_BYTES_MAX",
  },
  "Outputs that a worker caches for equal calls": {
    file: "services/executor/src/reuse/create-reuse.ts",
    place: "ENTRIES_MAX",
  },
  "Total size of these outputs": {
    file: "services/executor/src/reuse/create-reuse.ts",
    place: "const BYTES_MAX =",
  },
  "Size of one of these outputs": {
    file: "services/executor/src/reuse/create-reuse.ts",
    place: "ENTRY_BYTES_MAX",
  },
  "Listed files per plan": { file: "services/executor/src/tools/files-list.ts", place: "FILES_MAX" },
  "Pages in a report's PDF": { file: "services/executor/src/report/child/write-pdf.ts", place: "PAGES_MAX" },
  "Markdown in a report": {
    file: "services/executor/src/tools/report-render.ts",
    place: "MARKDOWN_CHARS_MAX",
  },
  "Charts, and tables, per report": {
    file: "services/executor/src/tools/report-render.ts",
    place: "FIGURES_MAX",
  },
  "Rows per table in a report": { file: "services/executor/src/tools/report-render.ts", place: "ROWS_MAX" },
  "Columns per table in a report": {
    file: "services/executor/src/tools/report-render.ts",
    place: "COLUMNS_MAX",
  },
  "Size of a file in a report": {
    file: "services/executor/src/report/child/render-report.ts",
    place: "FILE_BYTES_MAX",
  },
  "Consecutive failed model calls in one piece of work": { setting: "MODEL_TRIES_MAX" },
  "Time for which a piece of work retries a model server that does not answer": {
    file: "packages/shared/src/model/model-context.ts",
    place: "patienceMs",
  },
  "Fallback models per role": { file: "packages/shared/src/service/model-config.ts", place: "FALLBACKS_MAX" },
  "A model's reply": { file: "packages/shared/src/model/read-reply.ts", place: "REPLY_CHARS_MAX" },
};
