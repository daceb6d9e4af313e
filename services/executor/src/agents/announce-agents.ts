import type { AgentRegistry, AgentSet } from "@planwright/shared/tools";
import type { Logger } from "@planwright/shared/service";

/**
 * Announces which pools this executor serves and, if it has an agents file, which agent types exist.
 *
 * All executors share one set of types: that of the executor with a file that started last. An executor whose file differs logs
 * this and works by the shared set.
 *
 * @param options.own - The types from this executor's file; absent without a file.
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
    // The executor is stopping.
  }
}
