import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { PlanCount } from "../book/count-plans.ts";
import type { PlanBook } from "../book/plan-book.ts";
import { PlanFilter } from "../book/plan-filter.ts";
import { parsePart } from "../http/parse-part.ts";

/** Views that one request counts. */
const VIEWS_MAX = 40;
const VIEW_CHARS_MAX = 1_000;
/** What was counted is good enough for so long, for whoever else asks. */
const FRESH_MS = 1_000;
const KEPT_MAX = 200;

const View = z.string().max(VIEW_CHARS_MAX);
const Query = z.object({
  of: z.union([View.transform((one) => [one]), z.array(View).max(VIEWS_MAX)]).meta({
    description:
      "A view: the search that the list would be asked with, such as `status=failed&strategy=code`, as one value; empty for all plans. May be there several times.",
  }),
});
const Counts = z.object({
  counts: z.array(PlanCount).meta({ description: "Of each `of`, in their order." }),
});
type Counts = z.output<typeof Counts>;

export type CountPlansDeps = {
  readonly book: Pick<PlanBook, "count">;
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number;
};

/** `GET /v1/plans/counts`: how many plans there are in each of some views. */
export function countPlansRoute(app: FastifyInstance, { book, nowMs }: CountPlansDeps): void {
  const kept = new Map<string, { readonly counts: Counts["counts"]; readonly atMs: number }>();
  const schema = {
    summary: "How many plans there are in each of some views",
    description:
      "Each is counted up to 1,000. Sub-plans are not counted, except with `parent` and with `needs=person`. What was counted is good for a second.",
    tags: ["plans"],
    querystring: Query,
    response: { 200: Counts },
  };
  app.get("/v1/plans/counts", { schema }, async (request, reply) => {
    const { tenant } = request;
    const { of } = parsePart(Query, request.query, "query");
    const key = JSON.stringify([tenant, of]);
    let found = kept.get(key);
    if (found === undefined || nowMs() - found.atMs > FRESH_MS) {
      const filters = of.map((view) =>
        parsePart(PlanFilter, Object.fromEntries(new URLSearchParams(view)), "of"),
      );
      found = { counts: book.count(tenant, filters), atMs: nowMs() };
      if (kept.size >= KEPT_MAX) kept.clear();
      kept.set(key, found);
    }
    return reply.header("cache-control", "no-store").send({ counts: found.counts });
  });
}
