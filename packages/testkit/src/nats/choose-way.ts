import { findNatsServer } from "@planwright/launcher/nats";
import { describeError } from "@planwright/shared/errors";
import { TestNatsChoice, type TestNatsWay } from "./test-nats.ts";

const IMAGE = "nats:2.14.6-alpine";

/**
 * Decides how the tests get their nats-server, and prints the decision and its reason.
 *
 * A container if a container engine answers, else a process. `TEST_NATS=process` does not look for an
 * engine; `TEST_NATS=container` accepts nothing else.
 *
 * @throws {Error} When `TEST_NATS` has another value, when it requires a container and no engine answers,
 *   or when no nats-server can be found.
 */
export async function chooseWay({
  env,
  storesDir,
  say,
}: {
  env: NodeJS.ProcessEnv;
  storesDir: string;
  say: (line: string) => void;
}): Promise<TestNatsWay> {
  const choice = TestNatsChoice.parse(env["TEST_NATS"] || undefined);
  const missing = choice === "process" ? "TEST_NATS=process" : await engineFault();
  if (missing === undefined) {
    say(`nats-server: container ${IMAGE}`);
    return { kind: "container", image: IMAGE };
  }
  if (choice === "container") throw new Error(`TEST_NATS=container, but ${missing}`);
  const found = await findNatsServer({ env, log: say });
  say(`nats-server: process ${found.version} (${found.source}); container: not exercised (${missing})`);
  return { kind: "process", bin: found.bin, storesDir };
}

/** Why there is no container engine; undefined when one answers. */
async function engineFault(): Promise<string | undefined> {
  const { getContainerRuntimeClient } = await import("testcontainers");
  try {
    await getContainerRuntimeClient();
    return undefined;
  } catch (error) {
    return `no container engine answers: ${describeError(error)}`;
  }
}
