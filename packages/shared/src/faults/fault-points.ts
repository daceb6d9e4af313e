/**
 * The points where a test can make a service fail: before and after every publish, every acknowledgement
 * and every run of a tool.
 *
 * A publish is named after the purpose of its message, which follows from the subject, so that a new kind of
 * message has a name as soon as it is sent: a kind without its own name is `other`.
 */

/** The kinds of stored messages, and the service that publishes each. */
export const PUBLISHED = {
  goal: "gateway",
  control: "gateway",
  redrive: "gateway",
  decision: "planner",
  timer: "planner",
  "step-work": "planner",
  "draft-work": "planner",
  "join-work": "planner",
  "facts-work": "planner",
  "draft-start": "planner",
  "draft-step": "planner",
  "draft-end": "planner",
  "decision-batch": "planner",
  "draft-batch": "planner",
  "step-start": "executor",
  unit: "executor",
  call: "executor",
  turn: "executor",
  outcome: "executor",
  interruption: "executor",
  artifact: "executor",
  "dead-letter": "executor",
  "model-failure": "executor",
  join: "reflector",
  review: "reflector",
  facts: "reflector",
} as const;
export type PublishedKind = keyof typeof PUBLISHED | "other";

/** The kinds of work that are acknowledged, and the service that receives each. */
export const TAKEN = {
  "step-work": "executor",
  "draft-work": "planner",
  "join-work": "reflector",
  "facts-work": "reflector",
} as const;

const RUN = ["tool.before-run", "tool.after-run", "effect.before-run", "effect.after-run"] as const;

export type FaultPoint =
  | `${PublishedKind}.${"before" | "after"}-publish`
  | `${keyof typeof TAKEN | "other"}.${"before" | "after"}-ack`
  | (typeof RUN)[number];

/** Every point, and the service that passes through it. */
export const FAULT_POINTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(PUBLISHED).flatMap(([kind, service]) => around(kind, "publish", service)),
  ...Object.entries(TAKEN).flatMap(([kind, service]) => around(kind, "ack", service)),
  ...RUN.map((point) => [point, "executor"] as const),
]);

function around(kind: string, action: string, service: string): [string, string][] {
  return [
    [`${kind}.before-${action}`, service],
    [`${kind}.after-${action}`, service],
  ];
}

/** The points passed when a message is published: those of its kind and, for a batch, those of batches. */
export function kindsOf(
  subject: string,
  { events = [] }: { readonly events?: readonly unknown[] } = {},
): PublishedKind[] {
  const kind = kindOf(subject);
  if (events.length <= 1) return [kind];
  if (kind === "decision") return [kind, "decision-batch"];
  if (kind === "unit") return [kind];
  return kind === "draft-step" || kind === "draft-end" ? [kind, "draft-batch"] : [kind, "other"];
}

/** Returns the kind of a message on this subject. */
export function kindOf(subject: string): PublishedKind {
  const tokens = subject.split(".");
  switch (tokens[0]) {
    case "plan":
      return factKind(tokens.slice(3));
    case "work":
      return workKind(tokens[1]);
    case "timer":
      return "timer";
    case "artifact":
      return "artifact";
    case "dead":
      return "dead-letter";
    default:
      return "other";
  }
}

/** Returns the kind of work; anything else is `other`. */
export function takenKindOf(subject: string): keyof typeof TAKEN | "other" {
  return subject.startsWith("work.") ? workKind(subject.split(".", 2)[1]) : "other";
}

function workKind(queue: string | undefined): keyof typeof TAKEN | "other" {
  if (queue === "step") return "step-work";
  if (queue === "plan") return "draft-work";
  if (queue === "facts") return "facts-work";
  return queue === "reflect" ? "join-work" : "other";
}

/** @param tokens - Those of the subject, starting with the class of its writer. */
function factKind(tokens: readonly string[]): PublishedKind {
  // A worker's subject has the pool between the class and the step.
  if (tokens[0] === "w") return factKind(["r", ...tokens.slice(2)]);
  const [writer, step, second, third] = tokens;
  const last = tokens.at(-1);
  if (writer === "d") return "decision";
  if (writer === "control") return step === "submitted" ? "goal" : "control";
  if (writer === "redrive") return "redrive";
  if (writer !== "r") return "other";
  if (second === "unit") return "unit";
  if (tokens.at(-2) === "model") return "model-failure";
  if (step === "~join") return "join";
  if (tokens.includes("reviewed")) return "review";
  if (step === "~draft") {
    if (third === "started") return "draft-start";
    return third === "ended" ? "draft-end" : "draft-step";
  }
  if (last === "started") return "step-start";
  if (last === "interrupted") return "interruption";
  if (last === "facts") return "facts";
  if (third === "turn" || third === "call") return third;
  return last === "done" ? "outcome" : "other";
}
