/**
 * Which kind of nats-server the tests run against, decided once per test run and handed to the test
 * processes in an environment variable.
 */
import { z } from "zod";

/** The variable that carries the decision from the run to its test processes. */
export const TEST_NATS_WAY = "PLANWRIGHT_TEST_NATS_WAY";

export const TestNatsWay = z.discriminatedUnion("kind", [
  /** A process of `bin`, its store in a new folder inside `storesDir`. */
  z.object({ kind: z.literal("process"), bin: z.string(), storesDir: z.string() }),
  /** A container of `image`. */
  z.object({ kind: z.literal("container"), image: z.string() }),
]);
export type TestNatsWay = z.infer<typeof TestNatsWay>;

/** What `TEST_NATS` may say; unset tries a container first and falls back to a process. */
export const TestNatsChoice = z.enum(["container", "process"]).optional();
