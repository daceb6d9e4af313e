import type { NatsAccess } from "../access/index.ts";
import { connectBus, provision, type Replicas } from "../bus/index.ts";

export type ProvisionServerOptions = {
  readonly pools: readonly string[];
  /** The value of `NATS_REPLICAS`. */
  readonly replicas?: Replicas | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Creates the streams, buckets and queues on a server, with a login that has the permission.
 *
 * @returns Whether the server requires no login.
 */
export async function provisionServer(
  access: NatsAccess,
  { pools, replicas, signal }: ProvisionServerOptions,
): Promise<{ readonly isOpen: boolean }> {
  const about = { name: "provision", ...(signal === undefined ? {} : { signal }) };
  await using bus = await connectBus({ ...access, ...about });
  await provision(bus, { pools, replicas });
  return { isOpen: bus.connection.info?.auth_required !== true };
}
