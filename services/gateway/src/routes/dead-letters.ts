import { JsonValue, PlanId, StepId } from "@planwright/plan";
import type { Logger } from "@planwright/shared/service";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { DeadLetter } from "../dead-letters/dead-letter.ts";
import { createDeadLetterStore, type DeadLetterStore } from "../dead-letters/dead-letter-store.ts";
import { DeadLetterPage, pageOfDeadLetters } from "../dead-letters/list-dead-letters.ts";
import { createOwnDeadLetters, type OwnDeadLetters } from "../dead-letters/own-dead-letters.ts";
import { redrive, type RedriveDeps } from "../dead-letters/redrive.ts";
import type { PlanBook } from "../book/plan-book.ts";
import { parsePart } from "../http/parse-part.ts";
import { toProblem } from "../http/to-problem.ts";

/** Letters that one request deals with; what is left is said in the answer. */
const AT_ONCE_MAX = 1_000;
const REFUSED_SHOWN_MAX = 100;

const Query = z.object({
  planId: z.string().max(128).optional(),
  group: z.string().max(64).optional(),
  limit: z.coerce.number().pipe(z.int().min(1).max(1_000)).default(100),
  cursor: z.string().max(32).optional(),
});
const LetterPath = z.object({ id: z.string() });
const Which = z.union([
  z.strictObject({ group: z.string().max(64) }),
  z.strictObject({ all: z.literal(true) }),
]);
const Detail = z.object({
  ...DeadLetter.shape,
  /** What the message held: decoded when it is JSON, as text otherwise; cut off after 100,000 characters. */
  payload: JsonValue,
});
const Redriven = z.object({ id: z.string(), planId: PlanId, stepId: StepId, attempt: z.int() });
const Refused = z.object({ id: z.string(), code: z.string(), message: z.string() });
const RedrivenMany = z.object({
  redriven: z.int(),
  refused: z.array(Refused),
  left: z.int().meta({ description: "Letters that were not looked at: ask again." }),
});

export type DeadLetterRouteDeps = Omit<RedriveDeps, "store"> & {
  readonly book: PlanBook;
  readonly log: Logger;
};

type Deps = RedriveDeps & {
  readonly own: OwnDeadLetters;
  readonly store: DeadLetterStore;
  readonly log: Logger;
};

const tags = ["dead letters"];

/** `/v1/dead-letters`: work that was given up, and what can be done about it. */
export function deadLetterRoutes(app: FastifyInstance, deps: DeadLetterRouteDeps): void {
  const store = createDeadLetterStore(deps.bus);
  const own = createOwnDeadLetters(store, deps.book);
  readRoutes(app, own);
  redriveRoutes(app, { ...deps, store, own });
  discardRoutes(app, { ...deps, store, own });
}

function readRoutes(app: FastifyInstance, own: OwnDeadLetters): void {
  const listSchema = {
    summary: "Work that was given up, by cause and one by one",
    tags,
    querystring: Query,
    response: { 200: DeadLetterPage },
  };
  app.get("/v1/dead-letters", { schema: listSchema }, async (request, reply) => {
    const query = parsePart(Query, request.query, "query");
    const page = pageOfDeadLetters(await own.all(request.tenant), query);
    return reply.header("cache-control", "no-store").send(page);
  });

  const oneSchema = { summary: "One dead letter", tags, params: LetterPath, response: { 200: Detail } };
  app.get("/v1/dead-letters/:id", { schema: oneSchema }, async (request, reply) => {
    const { id } = parsePart(LetterPath, request.params, "path");
    const { letter, payload } = await own.get(request.tenant, id);
    return reply.header("cache-control", "no-store").send({ ...letter, payload: decoded(payload) });
  });
}

function redriveRoutes(app: FastifyInstance, deps: Deps): void {
  const oneSchema = {
    summary: "Try the step of a dead letter once more",
    tags,
    params: LetterPath,
    response: { 202: Redriven },
  };
  app.post("/v1/dead-letters/:id/redrive", { schema: oneSchema }, async (request, reply) => {
    const { id } = parsePart(LetterPath, request.params, "path");
    const { letter } = await deps.own.get(request.tenant, id);
    const redriven = await redrive(deps, { letter, by: request.tenant });
    deps.log.info({ ...redriven }, "dead letter redriven");
    return reply.code(202).send(redriven);
  });

  const manySchema = {
    summary: "Try the steps of a group of dead letters, or of all, once more",
    tags,
    body: Which,
    response: { 200: RedrivenMany },
  };
  app.post("/v1/dead-letters/redrive", { schema: manySchema }, async (request) => {
    const { some, left } = await takeSome(deps.own, request.tenant, request.body);
    const refused: z.output<typeof Refused>[] = [];
    let redriven = 0;
    for (const letter of some) {
      try {
        await redrive(deps, { letter, by: request.tenant });
        redriven += 1;
      } catch (error) {
        const { code, status, message } = toProblem(error);
        if (status >= 500) throw error;
        if (refused.length < REFUSED_SHOWN_MAX) refused.push({ id: letter.id, code, message });
      }
    }
    deps.log.info({ redriven, tenant: request.tenant }, "dead letters redriven");
    return { redriven, refused, left };
  });
}

function discardRoutes(app: FastifyInstance, { own, store, log }: Deps): void {
  const oneSchema = {
    summary: "Discard a dead letter",
    tags,
    params: LetterPath,
    response: { 204: z.null() },
  };
  app.delete("/v1/dead-letters/:id", { schema: oneSchema }, async (request, reply) => {
    const { id } = parsePart(LetterPath, request.params, "path");
    const { letter } = await own.get(request.tenant, id);
    await store.remove(letter.id);
    log.info({ ...letter }, "dead letter discarded");
    return reply.code(204).send();
  });

  const manySchema = {
    summary: "Discard a group of dead letters, or all",
    tags,
    body: Which,
    response: { 200: z.object({ discarded: z.int(), left: z.int() }) },
  };
  app.post("/v1/dead-letters/discard", { schema: manySchema }, async (request) => {
    const { some, left } = await takeSome(own, request.tenant, request.body);
    for (const { id } of some) await store.remove(id);
    log.info({ discarded: some.length, tenant: request.tenant }, "dead letters discarded");
    return { discarded: some.length, left };
  });
}

/** The letters that a request is about, the oldest first, and how many more there are. */
async function takeSome(
  own: OwnDeadLetters,
  tenant: string,
  body: unknown,
): Promise<{ some: DeadLetter[]; left: number }> {
  const which = parsePart(Which, body, "body");
  const letters = await own.all(tenant);
  const wanted = "all" in which ? letters : letters.filter(({ group }) => group === which.group);
  const some = wanted.slice(0, AT_ONCE_MAX);
  return { some, left: wanted.length - some.length };
}

function decoded(payload: string): z.output<typeof JsonValue> {
  try {
    return JsonValue.parse(JSON.parse(payload));
  } catch {
    return payload;
  }
}
