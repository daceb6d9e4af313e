import path from "node:path";
import { type NatsCluster, startNatsCluster } from "@planwright/testkit";

const TLS = path.join(import.meta.dirname, "../../packages/shared/test/fixtures/tls");
const pem = (name: string): string => path.join(TLS, `${name}.pem`);

/** Three servers with the certificate of the tests. */
export function startLoopbackCluster(): Promise<NatsCluster> {
  return startNatsCluster({ ca: pem("ca"), cert: pem("server"), key: pem("server-key") });
}
