/** The grants of the tools in test plans. */

export const READ = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 } as const;
export const WRITE = { ...READ, risk: "medium", effect: "idempotent" } as const;
/** Takes almost no time. */
export const LIGHT = { ...READ, light: true } as const;
/** Calls a model. */
export const WRITER = { ...READ, modelTokens: 1_000 } as const;
export const SUB_PLAN = { pool: "owner", risk: "low", effect: "idempotent", timeoutMs: 86_400_000 } as const;
/** Thinks, acts and observes, turn by turn. */
export const LOOP = { ...READ, risk: "medium", effect: "idempotent" } as const;
/** Improves a rejected draft. */
export const REVISER = { ...WRITER, revises: true } as const;
export const ONCE = { ...READ, risk: "high", effect: "once" } as const;

/** The default grants of submitted plans. */
export const GRANTS = {
  "flow.echo": READ,
  "draft.write": REVISER,
  "model.write": WRITER,
  "files.write": WRITE,
  "mail.send": ONCE,
  "plan.run": SUB_PLAN,
  "human.ask": SUB_PLAN,
  "agent.react": LOOP,
};

/** Tools that read or fetch untrusted content; each is read-only, so that no gate of its own holds a call back. */
export const READING = Object.fromEntries(
  ["flow.echo", "http.fetch", "web.search", "sql.query", "model.write", "agent.react", "human.ask"].map(
    (name) => [name, READ],
  ),
);
