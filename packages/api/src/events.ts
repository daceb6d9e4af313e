/** The events of one plan: live as server-sent events, or as JSON pages. */
import { PlanEvent } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { EXAMPLE_PLAN_ID, PlanPath } from "./plan-ids.ts";

const PAGE_MAX = 10_000;

const Seq = z.coerce.number().pipe(z.int().nonnegative());

const EventsQuery = z.object({
  after: Seq.default(0).meta({ description: "Number of the last event that you have received." }),
  limit: z.coerce
    .number()
    .pipe(z.int().min(1).max(PAGE_MAX))
    .default(1_000)
    .meta({ description: "Maximum number of events on a page. Ignored for streams." }),
});
const EventsHeaders = z.object({
  accept: z.string().optional().meta({ description: "`application/json` for a page; otherwise a stream." }),
  "last-event-id": Seq.optional().meta({ description: "Same as `after`, which it overrides." }),
});

/** An event with its number in the plan, counted from 1 without gaps. This number is also the id of the server-sent event. */
export const NumberedEvent = z.object({ seq: z.int(), event: PlanEvent });
export type NumberedEvent = z.output<typeof NumberedEvent>;

export const EventPage = z.object({
  planId: z.string(),
  events: z.array(NumberedEvent),
  nextAfter: z
    .int()
    .optional()
    .meta({ description: "Value of `after` for the next page; absent if there are no more events." }),
});
export type EventPage = z.output<typeof EventPage>;

export const getEvents = defineEndpoint({
  id: "getEvents",
  method: "GET",
  path: "/v1/plans/:planId/events",
  tag: "plans",
  summary: "Get the events of a plan",
  description:
    "Returns server-sent events until the plan finishes, with the event's number as the id; or a JSON page with `Accept: application/json`. Status 204: the plan has finished and there are no more events.",
  params: PlanPath,
  query: EventsQuery,
  headers: EventsHeaders,
  responses: { 200: EventPage, 204: null },
  problems: ["plan_not_found", "too_many_watchers"],
  example: {
    response: {
      planId: EXAMPLE_PLAN_ID,
      events: [
        {
          seq: 7,
          event: {
            id: `${EXAMPLE_PLAN_ID}/answer/0/1/started`,
            type: "step.started",
            planId: EXAMPLE_PLAN_ID,
            at: "2026-01-31T10:00:01.000Z",
            data: { stepId: "answer", item: 0, attempt: 1, workerId: "worker-1", delivery: 1 },
          },
        },
      ],
      nextAfter: 7,
    },
  },
});
