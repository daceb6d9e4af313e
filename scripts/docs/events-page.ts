import { PlanEvent, PlanView } from "@planwright/plan";
import { z } from "zod";
import { tableOf } from "./markdown.ts";
import { readSchema, schemaText } from "./schema-text.ts";

/** The writer and meaning of each event, in the order of a plan's life cycle. */
const MEANINGS: Readonly<Record<PlanEvent["type"], { by: string; means: string }>> = {
  "goal.submitted": {
    by: "gateway",
    means: "The first event of a plan. If it contains a `plan`, it also plans and seals the steps.",
  },
  "draft.started": { by: "planner", means: "A planner starts writing draft number `draft`." },
  "step.planned": {
    by: "planner",
    means: "The model has finished writing a step, which is now part of the plan.",
  },
  "plan.sealed": { by: "planner", means: "The draft is complete." },
  "plan.revised": {
    by: "planner",
    means: "The draft of a revision is complete: which steps it keeps, drops and adds, and why.",
  },
  "plan.reviewed": {
    by: "reflector",
    means: "A review of a complete draft before any of its steps ran: accepted, rejected, or not possible.",
  },
  "draft.abandoned": { by: "planner", means: "The draft ended without a plan. Its steps are dropped." },
  "step.started": {
    by: "executor",
    means: "A worker has started an attempt. Quick read-only steps do not have this event.",
  },
  "step.succeeded": { by: "executor", means: "The attempt succeeded, with this output." },
  "step.failed": {
    by: "executor",
    means: "The attempt failed. If the failure is retryable, the step is retried after a delay.",
  },
  "unit.closed": {
    by: "executor",
    means: "The worker of a unit of light steps returns those that it does not run. They are sent again.",
  },
  "step.interrupted": {
    by: "executor",
    means:
      "A tool that runs at most once was interrupted, and it is unknown whether it took effect. A user decides what to do.",
  },
  "approval.requested": {
    by: "planner",
    means: "A step or plan waits for a decision, until `expiresAfterMs` has passed.",
  },
  "approval.decided": { by: "gateway", means: "A user's decision. The first decision counts." },
  "timer.fired": { by: "NATS", means: "The scheduler of nats-server reports that a delay is over." },
  "step.skipped": {
    by: "planner",
    means: "These steps will not run, because a dependency did not succeed, or because they are not needed.",
  },
  "step.expanded": {
    by: "planner",
    means: "The list of a `forEach` step is known: the step runs once for each of these items.",
  },
  "step.asked": {
    by: "executor",
    means: "An attempt ended because its loop proposed a call that needs approval.",
  },
  "turn.started": {
    by: "executor",
    means:
      "A turn with several calls starts in a loop: the model's reasoning, and its calls in order. Each call has its own `turn.taken`.",
  },
  "call.started": {
    by: "executor",
    means: "A call that changes something starts in a loop. Its `turn.taken` has the outcome.",
  },
  "turn.taken": {
    by: "executor",
    means:
      "A finished call in a loop, or a turn without a call: the model's reasoning, the call and its outcome.",
  },
  "fact.recorded": {
    by: "reflector",
    means:
      "The result of reading one output: facts, open questions, and possibly a suggestion to replace the plan.",
  },
  "step.reviewed": {
    by: "reflector",
    means: "A review of a step's output: accepted, rejected, or not possible.",
  },
  "join.abandoned": {
    by: "reflector",
    means: "The synthesis ended without a result. The plan requests it again, or ends.",
  },
  "model.failed": {
    by: "planner, executor, reflector",
    means: "A model call failed. The service that made it will retry it.",
  },
  "revision.requested": {
    by: "reflector",
    means: "The results do not answer the goal yet, so the plan needs a revision.",
  },
  "nodes.valued": {
    by: "reflector",
    means: "A round of a tree search is over: the value of each action that was tried.",
  },
  "answer.drafted": {
    by: "reflector",
    means: "A draft of the answer that will be reviewed.",
  },
  "answer.reviewed": {
    by: "reflector",
    means: "A review of a draft of the answer: accepted, rejected, or not possible.",
  },
  "answer.given": {
    by: "reflector or planner",
    means: "The answer of the plan. Without `join`, it is the output of the step that the plan named.",
  },
  "pause.requested": {
    by: "gateway",
    means: "A user paused the plan. No new work is sent until pause number `pause` ends.",
  },
  "resume.requested": { by: "gateway", means: "A user ended pause number `pause`." },
  "cancel.requested": { by: "gateway", means: "A user cancelled the plan. No further step starts." },
  "feedback.given": {
    by: "gateway",
    means: "A user's rating of the finished plan. It does not change the plan and has no `seq`.",
  },
  "redrive.requested": {
    by: "gateway",
    means: "A user requested a retry of a step whose work was dead-lettered.",
  },
  "log.damaged": {
    by: "planner or gateway",
    means:
      "Stored events are missing from the log. The plan ends as failed, so that nothing more is derived from an incomplete log.",
  },
  "plan.ended": { by: "planner", means: "The last event of every plan." },
  "plan.archived": {
    by: "planner",
    means:
      "The plan's events were moved to the archive. Replaces `goal.submitted` in the log. Never sent to clients.",
  },
  "delete.requested": {
    by: "gateway",
    means: "A user deleted the finished plan. It is hidden immediately. Never sent to clients.",
  },
  "plan.deleted": {
    by: "planner",
    means: "The plan was erased. Replaces `goal.submitted` in the log. Never sent to clients.",
  },
};

export function eventsPage(): string {
  const sections = PlanEvent.options.map((option) => {
    const schema = readSchema(z.toJSONSchema(option, { io: "output", unrepresentable: "any" }));
    const type = z.string().parse(readSchema(schema.properties?.["type"]).const);
    return { type, text: sectionOf(type, readSchema(schema.properties?.["data"])) };
  });
  const order = Object.keys(MEANINGS);
  sections.sort((left, right) => order.indexOf(left.type) - order.indexOf(right.type));
  const view = readSchema(z.toJSONSchema(PlanView, { io: "output", unrepresentable: "any" }));
  return `# Events

A plan's log is a list of events. Each event is a JSON object \`{id, type, planId, at, data}\`. The \`id\` is derived from the
content of the event, and \`at\` is the time at which it was written. Clients receive events over SSE and WebSocket with a
\`seq\`, which numbers the events that changed the plan, from 1 and without gaps. A message of the stream \`PLANS\` is one event,
or several as \`{"batch":1,"events":[…]}\` ([batches](../subjects.md#batches)).

New fields may be added to \`data\`; existing fields never change their meaning. Ignore types that you do not know.

${sections.map(({ text }) => text).join("\n")}
## The view of a plan

The response of \`GET /v1/plans/:id\`: the state of the plan, computed from its events.

${fieldsOf(view)}
`;
}

function sectionOf(type: string, data: ReturnType<typeof readSchema>): string {
  const meaning = MEANINGS[z.enum(Object.keys(MEANINGS) as [PlanEvent["type"]]).parse(type)];
  return `## ${type}\n\n${meaning.means} Written by: ${meaning.by}.\n\n${fieldsOf(data)}\n`;
}

function fieldsOf(node: ReturnType<typeof readSchema>): string {
  const rows = Object.entries(node.properties ?? {}).map(([name, schema]) => [
    `\`${name}\`${node.required?.includes(name) ? "" : " (optional)"}`,
    schemaText(schema),
    typeof schema === "boolean" ? "" : (readSchema(schema).description ?? ""),
  ]);
  return tableOf(["field", "type", "description"], rows);
}
