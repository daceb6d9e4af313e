import { PlanEvent, PlanView } from "@planwright/plan";
import { z } from "zod";
import { tableOf } from "./markdown.ts";
import { readSchema, schemaText } from "./schema-text.ts";

/** Who writes each fact, and what it means, in the order in which a plan lives through them. */
const MEANINGS: Readonly<Record<PlanEvent["type"], { by: string; means: string }>> = {
  "goal.submitted": {
    by: "gateway",
    means: "A plan's first fact. With a `plan` in it, its steps are planned and sealed by it.",
  },
  "draft.started": { by: "planner", means: "A planner writes draft number `draft`." },
  "step.planned": {
    by: "planner",
    means: "The model has closed the step's brace; the step is part of the plan.",
  },
  "plan.sealed": { by: "planner", means: "The draft is complete." },
  "plan.revised": {
    by: "planner",
    means: "A revision's draft is complete: what it keeps, drops and adds, and why.",
  },
  "plan.reviewed": {
    by: "reflector",
    means:
      "A complete draft was judged before anything of it ran: accepted, rejected, or there is no judgement.",
  },
  "draft.abandoned": { by: "planner", means: "The draft ended without a plan; its steps are dropped." },
  "step.started": {
    by: "executor",
    means: "A worker has begun an attempt. Quick steps that only read have none.",
  },
  "step.succeeded": { by: "executor", means: "The attempt's outcome, with the step's output." },
  "step.failed": {
    by: "executor",
    means: "The attempt's outcome. A retryable one is tried again after a delay.",
  },
  "step.interrupted": {
    by: "executor",
    means:
      "A tool that acts once was interrupted, and nobody could find out whether it acted: a person decides.",
  },
  "approval.requested": { by: "planner", means: "A step waits for a person, or for `expiresAfterMs`." },
  "approval.decided": { by: "gateway", means: "What a person decided; the first decision counts." },
  "timer.fired": { by: "NATS", means: "The server's scheduler says that a delay is over." },
  "step.skipped": {
    by: "planner",
    means: "Steps that will not run: one that they need did not succeed, or they do not have to.",
  },
  "step.expanded": {
    by: "planner",
    means: "A step that runs for each of a list knows its list: it runs once for each of so many items.",
  },
  "step.asked": {
    by: "executor",
    means: "An attempt has ended where its loop wants to make a call that needs a person's approval.",
  },
  "turn.started": {
    by: "executor",
    means:
      "A turn with several calls begins in such a loop: what the model thought, and its calls in their order. Each call has a `turn.taken` of its own.",
  },
  "call.started": {
    by: "executor",
    means:
      "A call inside such a loop that changes something begins; its `turn.taken` says what became of it.",
  },
  "turn.taken": {
    by: "executor",
    means:
      "A call of a step that works in a loop, or a turn that named none: what the model thought, the call it made, what came of it.",
  },
  "fact.recorded": {
    by: "reflector",
    means: "What a look at one output found: facts, open questions, and perhaps a better plan.",
  },
  "step.reviewed": {
    by: "reflector",
    means: "What a step has delivered was judged: accepted, rejected, or there is no judgement.",
  },
  "join.abandoned": {
    by: "reflector",
    means: "The results could not be judged with what was set aside for it; the plan asks again, or ends.",
  },
  "model.failed": {
    by: "planner, executor, reflector",
    means: "A model call failed, and the worker that made it will make it again.",
  },
  "revision.requested": { by: "reflector", means: "The results do not answer the goal yet." },
  "nodes.valued": {
    by: "reflector",
    means: "A tree search's round is over: what each tried action is worth. Empty when nobody could say.",
  },
  "answer.drafted": {
    by: "reflector",
    means: "An answer that is to be judged before it is given.",
  },
  "answer.reviewed": {
    by: "reflector",
    means: "A draft of the answer was judged: accepted, rejected, or there is no judgement.",
  },
  "answer.given": {
    by: "reflector or planner",
    means: "The answer. Without `join` the plan named the step that gives it.",
  },
  "pause.requested": {
    by: "gateway",
    means: "Somebody paused the plan: nothing new is sent until pause number `pause` is over.",
  },
  "resume.requested": { by: "gateway", means: "Somebody ended pause number `pause`." },
  "cancel.requested": { by: "gateway", means: "Somebody cancelled the plan; nothing starts any more." },
  "feedback.given": {
    by: "gateway",
    means: "What somebody thinks of the ended plan. It changes nothing of it, and has no number of its own.",
  },
  "redrive.requested": {
    by: "gateway",
    means: "Somebody wants a step whose work was given up to be tried once more.",
  },
  "log.damaged": {
    by: "planner or gateway",
    means: "Facts that were stored are gone. The plan ends as failed before more is made of what is left.",
  },
  "plan.ended": { by: "planner", means: "Always a plan's last fact." },
  "plan.archived": {
    by: "planner",
    means:
      "The plan's facts were moved to the archive; stands where `goal.submitted` stood. Clients never get it.",
  },
  "delete.requested": {
    by: "gateway",
    means: "A user deletes the ended plan. No reader shows it any more. Clients never get it.",
  },
  "plan.deleted": {
    by: "planner",
    means: "The plan was erased; stands where `goal.submitted` stood. Clients never get it.",
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

A plan's log is a list of facts. Each is a JSON object \`{id, type, planId, at, data}\`: \`id\` is derived from what the
fact reports, \`at\` is when its writer wrote it. Clients get them over SSE and WebSocket with a \`seq\`, the plan's own
gap-free counter from 1, which counts the facts that changed the plan.

New fields may be added to \`data\`; a field never changes its meaning. Pass over types you do not know.

${sections.map(({ text }) => text).join("\n")}
## The view of a plan

What \`GET /v1/plans/:id\` answers: the fold of the plan's facts.

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
  return tableOf(["field", "type", ""], rows);
}
