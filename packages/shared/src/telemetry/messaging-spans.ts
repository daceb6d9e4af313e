/** Spans for the sender and the worker of a message. */
import type { Span, SpanAttributes } from "./span.ts";
import type { Telemetry } from "./telemetry.ts";
import type { TraceParent } from "./trace-parent.ts";

export type MessageFacts = {
  /**
   * The destination without ids, such as `work.step` or `plan.d`: it becomes part of the
   * span's name, and there should be few names.
   */
  readonly destination: string;
  /** The exact subject, including ids. */
  readonly subject?: string;
  readonly messageId?: string;
  readonly bodyBytes?: number;
  /** The consumer that delivered it, when it is processed. */
  readonly consumer?: string;
  /** Number of deliveries; the first is 1. */
  readonly deliveries?: number;
  /** Our ids: `plan.id`, `step.id`, `step.attempt`, `worker.id`. */
  readonly attributes?: SpanAttributes;
};

/** Starts the span of sending a message; put its `ids` into the message with `injectTrace`. */
export function sendSpan(telemetry: Telemetry, parent: TraceParent | undefined, facts: MessageFacts): Span {
  return telemetry.spanFrom(parent, `send ${facts.destination}`, {
    kind: "producer",
    attributes: messagingAttributes("send", facts),
  });
}

/** Starts the span of processing a message, as a child of the sender's span and linked to it. */
export function processSpan(
  telemetry: Telemetry,
  sender: TraceParent | undefined,
  facts: MessageFacts,
): Span {
  return telemetry.spanFrom(sender, `process ${facts.destination}`, {
    kind: "consumer",
    links: sender === undefined ? [] : [sender],
    attributes: messagingAttributes("process", facts),
  });
}

function messagingAttributes(operation: "send" | "process", facts: MessageFacts): SpanAttributes {
  return {
    "messaging.system": "nats",
    "messaging.operation.name": operation,
    "messaging.operation.type": operation,
    "messaging.destination.name": facts.subject ?? facts.destination,
    "messaging.destination.template": facts.destination,
    "messaging.message.id": facts.messageId,
    "messaging.message.body.size": facts.bodyBytes,
    "messaging.consumer.group.name": facts.consumer,
    "messaging.nats.deliveries": facts.deliveries,
    ...facts.attributes,
  };
}
