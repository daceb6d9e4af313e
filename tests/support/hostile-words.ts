/** Hostile text at its worst: markup that would run, and a word longer than a phone is wide. */
import type { BrowserContext } from "playwright-core";

export const HOSTILE =
  '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>[x](javascript:window.pwned=1)';
export const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(
  2,
);

/** Fields that hold what a person, a model, a tool or another machine has said, in whatever the gateway sends. */
const SAID = new Set(
  "answer by cause comment constraints cwd description detail details error executor expectedOutput explanation file goal key label logs message name notes openQuestions output planner preview program question reason reasoning reflector result source stderr stdout successCriteria summary text title value version words workerId".split(
    " ",
  ),
);
/** Everything under these is untrusted, the names of fields too. */
const SAID_WHOLLY = new Set(["args", "attributes", "before", "after", "metadata"]);
/** They lead to something: with other words they would lead nowhere. */
const LEADS = new Set(["artifact", "artifacts", "sources"]);

const AT = "2026-01-01T00:00:00.000Z";
const CLAIM = { value: "", confidence: 0.5, stepId: "text", item: 0, source: "", at: AT };
/** What only a language model would find out about a plan. */
const KNOWLEDGE = {
  facts: [{ ...CLAIM, key: "a fact", claims: 2, conflicts: [CLAIM] }],
  openQuestions: [{ question: "why?", stepId: "text", at: AT }],
  revisions: [
    {
      revision: 1,
      draft: 1,
      cause: "results",
      reason: "",
      kept: ["text"],
      dropped: [],
      added: ["json"],
      at: AT,
    },
  ],
};

/** Makes everything untrusted that the gateway sends hostile, in each field. */
export async function speakHostile(context: BrowserContext): Promise<void> {
  await context.route("**/v1/**", async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    const isJson = response.headers()["content-type"]?.includes("json") === true;
    if (!isJson || !response.ok()) return route.fulfill({ response });
    return route.fulfill({ response, json: hostileOf(withKnowledge(await response.json()), "", false) });
  });
}

function withKnowledge(body: unknown): unknown {
  const isView = typeof body === "object" && body !== null && "openQuestions" in body;
  return isView ? { ...body, ...KNOWLEDGE } : body;
}

function hostileOf(value: unknown, field: string, said: boolean): unknown {
  if (typeof value === "string") return said || SAID.has(field) ? `${value} ${HOSTILE} ${LONG}` : value;
  if (Array.isArray(value)) return value.map((entry) => hostileOf(entry, field, said));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      said ? `${name}${HOSTILE}` : name,
      LEADS.has(name) ? inner : hostileOf(inner, name, said || SAID_WHOLLY.has(name)),
    ]),
  );
}
