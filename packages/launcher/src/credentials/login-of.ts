import { seedFileOf, workerName } from "@planwright/shared/users";

/** Internal variables with the users, in the environment that all services share. */
const FOLDER = "PLANWRIGHT_NATS_USERS";
const POOLS = "PLANWRIGHT_NATS_POOLS";

/** Returns the variables that locate the users; {@link withLogin} replaces them by one service's login. */
export function usersVariables(folder: string, pools: readonly string[]): Readonly<Record<string, string>> {
  return { [FOLDER]: folder, [POOLS]: pools.join(",") };
}

/** Returns the environment of one service, with only its own login. @param service - Such as `executor-2`. */
export function withLogin(env: NodeJS.ProcessEnv, service: string): NodeJS.ProcessEnv {
  const { [FOLDER]: folder, [POOLS]: pools = "", ...own } = env;
  if (folder === undefined) return own;
  const kind = service.replace(/-\d+$/, "");
  const user = kind === "executor" ? workerName(pools.split(",")) : kind;
  return { ...own, NATS_NKEY_SEED: seedFileOf(folder, user) };
}
