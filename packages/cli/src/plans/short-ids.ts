/**
 * Short plan ids: lists show them on a terminal, and every command accepts them instead of a whole id.
 */
import { isProblem, type Planwright } from "@planwright/client";
import { oneLine } from "@planwright/shared/terminal";
import { CliError, EXIT } from "../exit-codes.ts";

/** The form in lists, unless it is ambiguous among their plans. */
const SHOWN_CHARS = 8;
/** The shortest beginning of an id that commands accept. */
export const PREFIX_CHARS_MIN = 4;
/** The gateway's ids have this length; a longer text needs no lookup. */
const ID_CHARS = 22;
/** The description of an argument that names a plan. */
export const PLAN_ARGUMENT = "ID of the plan, or its first characters";
const CANDIDATES_MAX = 10;
const GOAL_CHARS_MAX = 60;

/** Returns the short form of an id that is shown alone. */
export function shortId(planId: string): string {
  return planId.slice(0, SHOWN_CHARS);
}

/** Returns a function that shortens these ids, each to a different text. */
export function shortIdsOf(planIds: Iterable<string>): (planId: string) => string {
  const all = [...new Set(planIds)];
  let chars = SHOWN_CHARS;
  while (new Set(all.map((id) => id.slice(0, chars))).size < all.length) chars += 1;
  return (planId) => planId.slice(0, chars);
}

/**
 * Returns the id of the plan that a user names by its id or its first characters. Text that no id begins with is returned
 * unchanged: the gateway reports it.
 *
 * @throws {CliError} `usage` when several ids begin with it; the message lists them.
 */
export async function findPlanId(client: Planwright, given: string): Promise<string> {
  if (given.length < PREFIX_CHARS_MIN || given.length >= ID_CHARS || !/^[\w-]+$/.test(given)) return given;
  const { plans, nextCursor } = await plansWith(client, given);
  const [first, second] = plans;
  if (first === undefined || plans.some(({ planId }) => planId === given)) return given;
  if (second === undefined) return first.planId;
  const lines = plans.map(({ planId, goal }) => `  ${planId}  ${oneLine(goal).slice(0, GOAL_CHARS_MAX)}`);
  const more = nextCursor === undefined ? [] : ["  and more"];
  const message = `${JSON.stringify(given)} is the beginning of several plan IDs: type more of it`;
  throw new CliError(EXIT.usage, [message, ...lines, ...more].join("\n"));
}

async function plansWith(client: Planwright, id: string) {
  try {
    const page = await client.plans.list({ id, limit: CANDIDATES_MAX }).firstPage();
    // A gateway of an earlier version ignores the filter.
    return { ...page, plans: page.plans.filter(({ planId }) => planId.startsWith(id)) };
  } catch (error) {
    // A role that cannot list plans can still use whole ids.
    if (isProblem(error, "role_required")) return { plans: [] };
    throw error;
  }
}
