/** Named gates at which a scripted reply waits until the test releases it. */
export type Gates = {
  /** Waits until the gate is released; returns immediately if it was released before. */
  wait(name: string, signal: AbortSignal): Promise<void>;
  /** Opens a gate permanently, for current and later callers. */
  release(name: string): void;
  /** Resolves once a reply waits, or has waited, at the gate. */
  reached(name: string): Promise<void>;
};

type Gate = { readonly reached: PromiseWithResolvers<void>; readonly released: PromiseWithResolvers<void> };

export function createGates(): Gates {
  const gates = new Map<string, Gate>();

  function gateOf(name: string): Gate {
    const known = gates.get(name);
    if (known !== undefined) return known;
    const gate = { reached: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() };
    gates.set(name, gate);
    return gate;
  }

  return {
    async wait(name, signal) {
      const gate = gateOf(name);
      gate.reached.resolve();
      const left = Promise.withResolvers<void>();
      const leave = () => left.reject(new Error(`left gate ${name}: the client has gone`));
      if (signal.aborted) leave();
      signal.addEventListener("abort", leave, { once: true });
      try {
        await Promise.race([gate.released.promise, left.promise]);
      } finally {
        signal.removeEventListener("abort", leave);
      }
    },
    release: (name) => gateOf(name).released.resolve(),
    reached: (name) => gateOf(name).reached.promise,
  };
}
