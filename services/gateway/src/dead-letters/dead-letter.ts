/** A dead letter as stored in the stream. */
import type { DeadLetter } from "@planwright/api";
import type { StoredMsg } from "@nats-io/jetstream";
import { StepId } from "@planwright/plan";
import { deadLetterSubject, parseWorkSubject, type WorkAddress } from "@planwright/shared/bus";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { CauseOf } from "./normalise-cause.ts";

/** Written by workers. Tolerant: an unreadable dead letter can still be viewed and discarded. */
const Stored = z.object({
  cause: z.string().catch("unknown"),
  deliveries: z.int().catch(0),
  payload: z.string().catch(""),
  stepId: StepId.optional().catch(undefined),
  item: z.int().optional().catch(undefined),
  attempt: z.int().positive().optional().catch(undefined),
});

/** Work as users know it. */
const KINDS = {
  step: "step",
  draft: "draft",
  join: "synthesis",
  review: "review",
  critique: "review",
  facts: "facts",
} as const satisfies Record<WorkAddress["kind"], DeadLetter["kind"]>;

const SUBJECT_PREFIX = deadLetterSubject("");

export function readDeadLetter(
  message: StoredMsg,
  causeOf: CauseOf,
): { letter: DeadLetter; payload: string } {
  const { cause, deliveries, payload, stepId, item, attempt } = Stored.parse(decode(message));
  const address = parseWorkSubject(message.subject.slice(SUBJECT_PREFIX.length));
  const kind = address === undefined ? "unknown" : KINDS[address.kind];
  const pool = address?.kind === "step" ? address.pool : undefined;
  const letter: DeadLetter = {
    id: String(message.seq),
    group: groupOf(kind, pool, causeOf(cause)),
    kind,
    cause,
    deliveries,
    at: message.time.toISOString(),
  };
  if (address === undefined) return { letter, payload };
  letter.planId = address.planId;
  if (address.kind === "draft") letter.number = address.draft;
  else if (address.kind === "join") letter.number = address.join;
  else if (address.kind === "facts") letter.stepId = address.stepId;
  else if (address.kind === "step") {
    letter.pool = address.pool;
    // The dead-lettered step may be one that followed on the same worker.
    letter.stepId = stepId ?? address.stepId;
    letter.item = item ?? address.item;
    letter.attempt = attempt ?? address.attempt;
  } else {
    letter.number = address.review;
  }
  return { letter, payload };
}

function decode(message: StoredMsg): object {
  try {
    const value: unknown = message.json();
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // No letter that a worker of ours has written.
  }
  return { payload: message.string() };
}

function groupOf(kind: string, pool: string | undefined, cause: string): string {
  const key = `${kind} ${pool ?? ""} ${cause}`;
  return createHash("sha256").update(key).digest("base64url").slice(0, 16);
}
