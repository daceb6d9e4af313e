/**
 * The systems of a company, as far as onboarding needs them: accounts, chat, code, people, calendar, mail and so on. It
 * knows nothing of plans, acts on every request that it gets, whatever has come before, and counts them.
 */
import { json, serve } from "../serve.ts";

const CALLS_MAX = 10_000;
const SYSTEMS = [
  "accounts",
  "chat",
  "code",
  "people",
  "calendar",
  "mail",
  "issues",
  "lists",
  "orders",
  "packets",
];
/** What a new employee gets only with an account. */
const NEED_ACCOUNT = ["chat", "code", "mail", "issues", "lists"];

type Call = { readonly system: string; readonly key: string; readonly employee: string };
const calls: Call[] = [];
const has = (system: string, employee: string): boolean =>
  calls.some((call) => call.system === system && call.employee === employee);

await serve(8099, ({ method, path, key, body }) => {
  const system = path.slice(1);
  if (path === "/calls") return json(calls);
  if (path === "/check") {
    const call = calls.find((one) => one.key === key);
    return call === undefined ? json({ done: false }, 404) : json({ done: call.system });
  }
  if (method !== "POST" || !SYSTEMS.includes(system) || calls.length >= CALLS_MAX)
    return json({ error: "no such system" }, 404);
  const { employee } = JSON.parse(body) as { readonly employee?: unknown };
  if (typeof employee !== "string") return json({ error: "wanted an employee" }, 400);
  if (NEED_ACCOUNT.includes(system) && !has("accounts", employee))
    return json({ error: `${employee} has no account` }, 409);
  calls.push({ system, key, employee });
  return json({ done: system, number: calls.length }, 201);
});
