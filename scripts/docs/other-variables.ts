import { replicasConfig } from "@planwright/shared/access";

/** Variables that no service reads: those of `npm start`, of the command line and of the tests. */
export const OTHER_VARIABLES: readonly (readonly [name: string, readBy: string, what: string])[] = [
  [
    "NATS_SYNC",
    "`npm start`, compose",
    "`always`: every acknowledged message has reached the disk. Without it that takes up to two minutes.",
  ],
  [
    "NATS_REPLICAS",
    "`npm start`, `planwright provision`",
    replicasConfig.NATS_REPLICAS.meta()?.description ?? "",
  ],
  ["NATS_SERVER_BIN", "`npm start`, tests", "The nats-server to run, instead of looking for one."],
  [
    "PLANWRIGHT_CACHE",
    "`npm start`, tests",
    "Where a fetched nats-server is kept; `planwright` in the user's cache folder (`XDG_CACHE_HOME`) otherwise.",
  ],
  ["PLANWRIGHT_URL", "`npx planwright`", "The gateway; `http://127.0.0.1:8080` otherwise."],
  ["PLANWRIGHT_API_KEY", "`npx planwright`", "The key for the gateway."],
  [
    "PLANWRIGHT_SECRET_…",
    "executor",
    "The value of the secret of that name, such as `CRM`, unless `secrets.json` names a file (docs/secrets.md).",
  ],
  ["NO_COLOR", "`npm start`, `npx planwright`", "Set to anything: no colours."],
  ["TEST_NATS", "tests", "`process` or `container`: how the tests run nats-server."],
  ["FAULT_SEED", "tests", "Repeats a run with random faults; a failing one prints its seed."],
];
