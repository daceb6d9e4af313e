import { replicasConfig } from "@planwright/shared/access";

/** Variables that no service reads: those of `npm start`, of the command line and of the tests. */
export const OTHER_VARIABLES: readonly (readonly [name: string, readBy: string, what: string])[] = [
  [
    "NATS_SYNC",
    "`npm start`, compose",
    "With `always`, every acknowledged message has been written to disk. Otherwise writing it can take up to two minutes.",
  ],
  [
    "NATS_REPLICAS",
    "`npm start`, `planwright provision`",
    replicasConfig.NATS_REPLICAS.meta()?.description ?? "",
  ],
  [
    "NATS_SERVER_BIN",
    "`npm start`, tests",
    "Path of the nats-server to run. By default, it is searched for.",
  ],
  [
    "PLANWRIGHT_CACHE",
    "`npm start`, tests",
    "Folder for a downloaded nats-server. Default: `planwright` in the user's cache folder (`XDG_CACHE_HOME`).",
  ],
  ["PLANWRIGHT_URL", "`npx planwright`", "URL of the gateway. Default: `http://127.0.0.1:8080`."],
  ["PLANWRIGHT_API_KEY", "`npx planwright`", "API key for the gateway."],
  [
    "PLANWRIGHT_CONFIG",
    "`npx planwright`",
    "Folder for the templates of the command line. Default: `planwright` in the user's configuration folder (`XDG_CONFIG_HOME`, else `~/.config`; `APPDATA` on Windows).",
  ],
  ["BROWSER", "`npx planwright`", "Command of the browser for `planwright open`. Default: the system's."],
  [
    "PLANWRIGHT_SECRET_…",
    "executor",
    "Value of the secret with that name, such as `CRM`, unless `secrets.json` specifies a file (docs/secrets.md).",
  ],
  ["NO_COLOR", "`npm start`, `npx planwright`", "If set to any value, output has no colours."],
  ["TEST_NATS", "tests", "`process` or `container`: how the tests run nats-server."],
  ["FAULT_SEED", "tests", "Seed of the random faults, to repeat a run. A failing run prints its seed."],
];
