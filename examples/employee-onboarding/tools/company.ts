/** A custom tool: the company's systems, each of whose calls runs at most once. */
import process from "node:process";
import { defineTool, NotDoneError, PermanentError, TransientError, z } from "@planwright/tools-kit";

const Done = z.object({ done: z.string() });

// oxlint-disable-next-line no-default-export -- what a tool file offers is its default export
export default defineTool({
  name: "company.ask",
  description:
    "Has one of the company's systems do something for an employee: chat, code, people, calendar, issues, lists or packets. " +
    'Output: {"done": "chat"}; refer to it as {"$ref": "s1.output.done"}.',
  input: z.strictObject({
    system: z.enum(["chat", "code", "people", "calendar", "issues", "lists", "packets"]),
    employee: z.string().min(1),
    details: z.record(z.string(), z.string()).default({}),
  }),
  output: Done,
  risk: "medium",
  effect: "once",
  timeoutMs: 30_000,
  untrusted: false,
  run: async ({ system, ...body }, { effectKey, signal }) => {
    const headers = { "content-type": "application/json", "idempotency-key": effectKey() };
    const response = await ask(system, { method: "POST", headers, body: JSON.stringify(body), signal });
    if (response.ok) return Done.parse(await response.json());
    throw new PermanentError(`${system} answered ${response.status}: ${await response.text()}`, {
      code: "refused",
    });
  },
  // The system acts on every request: after a crash, what it has done is asked for before anything is sent again.
  check: async (_args, { effectKey, signal }) => {
    const response = await ask("check", { headers: { "idempotency-key": effectKey() }, signal });
    return response.ok ? { kind: "done", output: Done.parse(await response.json()) } : { kind: "not-done" };
  },
});

async function ask(path: string, request: RequestInit): Promise<Response> {
  const base = process.env["EXAMPLE_URL"];
  if (base === undefined) throw new NotDoneError("EXAMPLE_URL does not say where the company's systems are");
  const response = await fetch(new URL(path, base), request);
  if (response.status >= 500) throw new TransientError(`${path} answered ${response.status}`);
  return response;
}
