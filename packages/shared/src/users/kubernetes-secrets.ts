/**
 * The users of a nats-server as Kubernetes Secrets: the server's part of its configuration, and one Secret per user, so that
 * each pod can be given only its own user.
 */
import { readFile } from "node:fs/promises";
import { authorizationOf } from "./authorization.ts";
import type { NatsUser } from "./users-folder.ts";

const PREFIX = "planwright-nats-";

type Secret = {
  readonly apiVersion: "v1";
  readonly kind: "Secret";
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly type: "Opaque";
  readonly stringData: Readonly<Record<string, string>>;
};

/** A `List` for `kubectl apply`. */
export type SecretList = {
  readonly apiVersion: "v1";
  readonly kind: "List";
  readonly items: readonly Secret[];
};

/**
 * Returns `planwright-nats-users` for the servers, and `planwright-nats-planner` and so on for pods; that of `worker.gpu` is
 * `planwright-nats-worker-gpu`.
 */
export async function kubernetesSecrets(users: readonly NatsUser[]): Promise<SecretList> {
  const own = await Promise.all(
    users.map(async ({ name, file }) =>
      secretOf(name.replaceAll(/[.+]/g, "-"), { "seed.nk": await readFile(file, "utf8") }),
    ),
  );
  const server = secretOf("users", { "users.conf": JSON.stringify(authorizationOf(users), null, 2) });
  return { apiVersion: "v1", kind: "List", items: [server, ...own] };
}

function secretOf(name: string, stringData: Readonly<Record<string, string>>): Secret {
  const labels = { "app.kubernetes.io/part-of": "planwright" };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: PREFIX + name, labels },
    type: "Opaque",
    stringData,
  };
}
