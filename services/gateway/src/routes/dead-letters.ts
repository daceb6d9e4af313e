import {
  type DeadLetter,
  type DeadLetterGroup,
  type DeadLetterPage,
  discardDeadLetter,
  discardDeadLetters,
  getDeadLetter,
  listDeadLetters,
  type RetriedMany,
  retryDeadLetter,
  retryDeadLetters,
  type WhichDeadLetters,
} from "@planwright/api";
import { type Json, JsonValue } from "@planwright/plan";
import type { Redaction } from "@planwright/shared/redaction";
import type { Logger } from "@planwright/shared/service";
import type { PlanBook } from "../book/plan-book.ts";
import {
  createDeadLetterStore,
  createOwnDeadLetters,
  type DeadLetterStore,
  type OwnDeadLetters,
} from "../dead-letters/dead-letter-store.ts";
import { type CauseOf, createCauseOf } from "../dead-letters/normalise-cause.ts";
import { redrive, type RedriveDeps } from "../dead-letters/redrive.ts";
import { type App, serve } from "../http/contract.ts";
import { Problem } from "../http/problem.ts";
import { toProblem } from "../http/to-problem.ts";

/** The maximum number of groups returned, those with the most dead letters first. */
const GROUPS_MAX = 100;

/** The maximum number of dead letters per request; the response contains the number of remaining ones. */
const AT_ONCE_MAX = 1_000;
const REFUSED_SHOWN_MAX = 100;

type DeadLetterRouteDeps = Omit<RedriveDeps, "store"> & {
  readonly book: PlanBook;
  readonly redaction: Redaction;
  readonly log: Logger;
};

type Deps = RedriveDeps & {
  readonly own: OwnDeadLetters;
  readonly store: DeadLetterStore;
  readonly log: Logger;
};

/** `/v1/dead-letters`: failed deliveries, and ways to handle them. */
export function deadLetterRoutes(app: App, deps: DeadLetterRouteDeps): void {
  const causeOf = createCauseOf(deps.redaction.all);
  const store = createDeadLetterStore(deps.bus, causeOf);
  const own = createOwnDeadLetters(store, deps.book);
  readRoutes(app, own, causeOf);
  retryRoutes(app, { ...deps, store, own });
  discardRoutes(app, { ...deps, store, own });
}

function readRoutes(app: App, own: OwnDeadLetters, causeOf: CauseOf): void {
  serve(app, listDeadLetters, async ({ tenant, query }, reply) =>
    reply.header("cache-control", "no-store").send(pageOfDeadLetters(await own.all(tenant), query, causeOf)),
  );
  serve(app, getDeadLetter, async ({ tenant, params: { id } }, reply) => {
    const { letter, payload } = await own.get(tenant, id);
    return reply.header("cache-control", "no-store").send({ ...letter, payload: decoded(payload) });
  });
}

function retryRoutes(app: App, deps: Deps): void {
  serve(app, retryDeadLetter, async ({ tenant, identity: by = tenant, params: { id } }, reply) => {
    const { letter } = await deps.own.get(tenant, id);
    const retried = await redrive(deps, { letter, by });
    deps.log.info({ ...retried }, "dead letter retried");
    return reply.code(202).send(retried);
  });

  serve(app, retryDeadLetters, async ({ tenant, identity: by = tenant, body }) => {
    const { some, left } = await takeSome(deps.own, tenant, body);
    const refused: RetriedMany["refused"] = [];
    let retried = 0;
    for (const letter of some) {
      try {
        await redrive(deps, { letter, by });
        retried += 1;
      } catch (error) {
        const { code, status, message } = toProblem(error);
        if (status >= 500) throw error;
        if (refused.length < REFUSED_SHOWN_MAX) refused.push({ id: letter.id, code, message });
      }
    }
    deps.log.info({ retried, tenant }, "dead letters retried");
    return { retried, refused, left };
  });
}

function discardRoutes(app: App, { own, store, log }: Deps): void {
  serve(app, discardDeadLetter, async ({ tenant, params: { id } }, reply) => {
    const { letter } = await own.get(tenant, id);
    await store.remove(letter.id);
    log.info({ ...letter }, "dead letter discarded");
    return reply.code(204).send();
  });

  serve(app, discardDeadLetters, async ({ tenant, body }) => {
    const { some, left } = await takeSome(own, tenant, body);
    for (const { id } of some) await store.remove(id);
    log.info({ discarded: some.length, tenant }, "dead letters discarded");
    return { discarded: some.length, left };
  });
}

/** The dead letters that a request names, oldest first, and the number of remaining ones. */
async function takeSome(
  own: OwnDeadLetters,
  tenant: string,
  which: WhichDeadLetters,
): Promise<{ some: DeadLetter[]; left: number }> {
  const letters = await own.all(tenant);
  const wanted = "all" in which ? letters : letters.filter(({ group }) => group === which.group);
  const some = wanted.slice(0, AT_ONCE_MAX);
  return { some, left: wanted.length - some.length };
}

function decoded(payload: string): Json {
  try {
    return JsonValue.parse(JSON.parse(payload));
  } catch {
    return payload;
  }
}

/** Dead letters as a tenant sees them: grouped by cause, and individually, newest first. */
type DeadLetterQuery = {
  readonly planId?: string | undefined;
  readonly group?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/**
 * @param letters - Oldest first.
 * @throws {Problem} `invalid_request` for a cursor that no page has returned.
 */
function pageOfDeadLetters(
  letters: readonly DeadLetter[],
  { planId, group, limit, cursor }: DeadLetterQuery,
  causeOf: CauseOf,
): DeadLetterPage {
  const before = readCursor(cursor);
  const wanted = letters.filter(
    (letter) =>
      (planId === undefined || letter.planId === planId) && (group === undefined || letter.group === group),
  );
  const rest = wanted.filter(({ id }) => Number(id) < before).toReversed();
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const page = { total: letters.length, groups: groupsOf(wanted, causeOf), deadLetters: shown };
  return rest.length > limit && last !== undefined ? { ...page, nextCursor: last.id } : page;
}

function groupsOf(letters: readonly DeadLetter[], causeOf: CauseOf): DeadLetterGroup[] {
  const groups = new Map<string, DeadLetterGroup>();
  for (const letter of letters) {
    const { group, kind, pool, at } = letter;
    const known = groups.get(group);
    if (known !== undefined) {
      Object.assign(known, { count: known.count + 1, lastAt: at, sample: letter });
      continue;
    }
    const cause = causeOf(letter.cause);
    const first = { group, kind, cause, count: 1, firstAt: at, lastAt: at, sample: letter };
    groups.set(group, pool === undefined ? first : { ...first, pool });
  }
  return [...groups.values()].toSorted((left, right) => right.count - left.count).slice(0, GROUPS_MAX);
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.POSITIVE_INFINITY;
  const before = Number(cursor);
  if (Number.isSafeInteger(before) && before > 0) return before;
  throw new Problem("invalid_request", "cursor: wanted the nextCursor of an earlier page");
}
