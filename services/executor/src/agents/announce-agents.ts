import type { AgentRegistry, AgentSet } from "@planwright/shared/tools";
import type { Logger } from "@planwright/shared/service";

/**
 * Tells the system which pools this executor serves and, if it has a file of them, which agent types there are.
 *
 * There is one set of types, for all executors alike: that of the executor that started last with a file. Who has another file
 * says so in its log, and works by the set that counts.
 *
 * @param options.own - What this executor's file says; absent when it has none.
 */
export async function announceAgents(
  registry: AgentRegistry,
  {
    own,
    pools,
    log,
  }: { readonly own: AgentSet | undefined; readonly pools: readonly string[]; readonly log: Logger },
): Promise<Disposable> {
  await registry.putPools(pools);
  const stopping = new AbortController();
  if (own !== undefined) {
    const before = registry.digest();
    if (before !== own.digest) {
      await registry.putTypes(own);
      const types = Object.keys(own.types);
      log.info({ types, digest: own.digest, before }, "agent types announced");
    }
    void warnOfOther(registry, { own, log, signal: stopping.signal });
  }
  return { [Symbol.dispose]: () => stopping.abort() };
}

async function warnOfOther(
  registry: AgentRegistry,
  { own, log, signal }: { readonly own: AgentSet; readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await registry.untilDigest((digest) => digest === own.digest, signal);
    await registry.untilDigest((digest) => digest !== own.digest, signal);
    log.warn(
      { own: own.digest, current: registry.digest() },
      "another executor has announced different agent types: those are used",
    );
  } catch {
    // The executor stops.
  }
}
