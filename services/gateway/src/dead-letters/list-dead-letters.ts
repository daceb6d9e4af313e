/** Dead letters as a tenant sees them: by cause, and one by one, the newest first. */
import type { DeadLetter, DeadLetterGroup, DeadLetterPage } from "@planwright/api";
import { Problem } from "../http/problem.ts";
import type { CauseOf } from "./normalise-cause.ts";

/** The groups with the most letters. */
const GROUPS_MAX = 100;

export type DeadLetterQuery = {
  readonly planId?: string | undefined;
  readonly group?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/**
 * @param letters - The oldest first.
 * @throws {Problem} `invalid_request` for a cursor that no page has given out.
 */
export function pageOfDeadLetters(
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
