/** Events of plans as a role may see them, made once for all readers with the same redaction. */
import { type Redactor, VIEWS } from "@planwright/shared/redaction";
import type { NumberedEvent } from "../book/numbered-event.ts";

/** An event in the form in which it is sent. */
export type ShownEvent = { readonly seq: number; readonly json: string };

const SHOWN = new WeakMap<Redactor, WeakMap<NumberedEvent, ShownEvent>>();

export function shownEvent(fact: NumberedEvent, redactor: Redactor): ShownEvent {
  if (!redactor.isActive) return fact;
  const known = SHOWN.get(redactor) ?? new WeakMap<NumberedEvent, ShownEvent>();
  SHOWN.set(redactor, known);
  const shown = known.get(fact) ?? redacted(fact, redactor);
  known.set(fact, shown);
  return shown;
}

export async function* shownEvents(
  facts: AsyncIterable<readonly NumberedEvent[]>,
  redactor: Redactor,
): AsyncGenerator<readonly ShownEvent[]> {
  for await (const portion of facts) yield portion.map((fact) => shownEvent(fact, redactor));
}

function redacted(fact: NumberedEvent, redactor: Redactor): ShownEvent {
  const shown = redactor.json(fact.event, VIEWS);
  return shown === fact.event ? fact : { seq: fact.seq, json: JSON.stringify(shown) };
}
