/**
 * Reuses outputs of read-only tools for equal calls of the same plan on the same worker.
 *
 * Invariants:
 *   REUSE-1. A call is only answered from one of the same plan, tool and arguments.
 *   REUSE-2. A failed call is not reused: the next waiting caller makes the call.
 *   REUSE-3. Nothing is stored: when a worker dies, the next one calls the tool again.
 */
import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "@planwright/plan";
import type { Tool } from "../tools/define-tool.ts";

const ENTRIES_MAX = 256;
const BYTES_MAX = 16 * 1024 * 1024;
const ENTRY_BYTES_MAX = 256 * 1024;

export type ReusableCall = {
  readonly planId: string;
  readonly tool: string;
  readonly args: unknown;
  /** How long an output can be reused, in milliseconds; if 0, only while its call runs. */
  readonly reusableMs: number;
  /** Whether to make the call in any case: it is a retry, or its last output was not good enough. */
  readonly isFresh: boolean;
};

export type Reuse = {
  /** @throws Errors of `make`. */
  run(
    call: ReusableCall,
    make: () => Promise<unknown>,
  ): Promise<{ readonly output: unknown; readonly reused: boolean }>;
};

type Kept = { readonly output: unknown; readonly bytes: number; readonly until: number };

/** @param now - Milliseconds of a monotonic clock. */
export function createReuse(now: () => number): Reuse {
  const flights = new Map<string, Promise<unknown>>();
  /** Least recently used first. */
  const kept = new Map<string, Kept>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }
  function keep(key: string, output: unknown, reusableMs: number): void {
    if (reusableMs === 0) return;
    const size = Buffer.byteLength(JSON.stringify(output) ?? "");
    if (size > ENTRY_BYTES_MAX) return;
    forget(key);
    kept.set(key, { output, bytes: size, until: now() + reusableMs });
    bytes += size;
    for (const oldest of kept.keys()) {
      if (kept.size <= ENTRIES_MAX && bytes <= BYTES_MAX) break;
      forget(oldest);
    }
  }
  function find(key: string): Kept | undefined {
    const entry = kept.get(key);
    if (entry === undefined) return undefined;
    kept.delete(key);
    if (entry.until > now()) {
      kept.set(key, entry);
      return entry;
    }
    bytes -= entry.bytes;
    return undefined;
  }
  async function lead(key: string, reusableMs: number, make: () => Promise<unknown>): Promise<unknown> {
    const flight = make();
    flights.set(key, flight);
    try {
      const output = await flight;
      keep(key, output, reusableMs);
      return output;
    } finally {
      if (flights.get(key) === flight) flights.delete(key);
    }
  }

  return {
    async run({ reusableMs, isFresh, ...call }, make) {
      const key = keyOf(call);
      if (isFresh) {
        forget(key);
        return { output: await make(), reused: false };
      }
      // Terminates: in each iteration a running call has failed, and one of its waiters makes the next.
      for (;;) {
        const entry = find(key);
        if (entry !== undefined) return { output: entry.output, reused: true };
        const flight = flights.get(key);
        if (flight === undefined) return { output: await lead(key, reusableMs, make), reused: false };
        const settled = await settle(flight);
        if (settled !== undefined) return { output: settled.output, reused: true };
      }
    },
  };
}

/** Undefined when it failed; the caller that made it reports that. */
function settle(flight: Promise<unknown>): Promise<{ readonly output: unknown } | undefined> {
  return flight.then(
    (output) => ({ output }),
    () => undefined,
  );
}

function keyOf({ planId, tool, args }: Pick<ReusableCall, "planId" | "tool" | "args">): string {
  // Arguments were parsed from JSON.
  const text = canonicalJson([planId, tool, args as Json]);
  return createHash("sha256").update(text).digest("base64");
}

/** Wraps the tools; those that allow it answer an equal call of the same plan with the first call's output. */
export function withReuse(tools: readonly Tool[], reuse: Reuse): readonly Tool[] {
  return tools.map((tool) => {
    const { reusableMs } = tool;
    if (reusableMs === undefined) return tool;
    return {
      ...tool,
      async run(args, context) {
        const { planId, attempt, feedback } = context;
        const isFresh = attempt > 1 || feedback !== undefined;
        const call = { planId, tool: tool.spec.name, args, reusableMs, isFresh };
        const { output, reused } = await reuse.run(call, () => tool.run(args, context));
        if (reused) {
          context.signal.throwIfAborted();
          context.noteReused?.();
        }
        return output;
      },
    };
  });
}
