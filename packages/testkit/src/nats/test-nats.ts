/**
 * The kind of nats-server for the tests, decided once per test run and passed to the test
 * processes in an environment variable.
 */
import { z } from "zod";

/** The variable that passes the decision from the run to its test processes. */
export const TEST_NATS_WAY = "PLANWRIGHT_TEST_NATS_WAY";

export const TestNatsWay = z.discriminatedUnion("kind", [
  /** A process of `bin`, its store in a new folder inside `storesDir`. */
  z.object({ kind: z.literal("process"), bin: z.string(), storesDir: z.string() }),
  /** A container of `image`. */
  z.object({ kind: z.literal("container"), image: z.string() }),
]);
export type TestNatsWay = z.infer<typeof TestNatsWay>;

/** Valid values of `TEST_NATS`; if unset, a container is tried first, then a process. */
export const TestNatsChoice = z.enum(["container", "process"]).optional();
