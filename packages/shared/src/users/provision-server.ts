import type { NatsAccess } from "../access/index.ts";
import { connectBus, provision } from "../bus/index.ts";

/**
 * Creates the streams, buckets and queues on a server, by a login that may.
 *
 * @returns Whether the server lets in everybody.
 */
export async function provisionServer(
  access: NatsAccess,
  { pools, signal }: { readonly pools: readonly string[]; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly isOpen: boolean }> {
  const about = { name: "provision", ...(signal === undefined ? {} : { signal }) };
  await using bus = await connectBus({ ...access, ...about });
  await provision(bus, { pools });
  return { isOpen: bus.connection.info?.auth_required !== true };
}
