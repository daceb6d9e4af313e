import { seedFileOf, workerName } from "@planwright/shared/users";

/** What the supervisor tells itself of the users, in the environment that all services share. */
const FOLDER = "PLANWRIGHT_NATS_USERS";
const POOLS = "PLANWRIGHT_NATS_POOLS";

/** For the environment of all services: where their users are. {@link withLogin} makes it that of one. */
export function usersVariables(folder: string, pools: readonly string[]): Readonly<Record<string, string>> {
  return { [FOLDER]: folder, [POOLS]: pools.join(",") };
}

/** The environment of one service: it is told of its own user only. @param service - `executor-2` is an executor. */
export function withLogin(env: NodeJS.ProcessEnv, service: string): NodeJS.ProcessEnv {
  const { [FOLDER]: folder, [POOLS]: pools = "", ...own } = env;
  if (folder === undefined) return own;
  const kind = service.replace(/-\d+$/, "");
  const user = kind === "executor" ? workerName(pools.split(",")) : kind;
  return { ...own, NATS_NKEY_SEED: seedFileOf(folder, user) };
}
