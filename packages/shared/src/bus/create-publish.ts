import { currentFaults } from "../faults/faults.ts";
import { kindsOf } from "../faults/fault-points.ts";
import type { Bus } from "./connect-bus.ts";
import { createPublish as createPublisher, type Publish } from "./publisher.ts";

/** Creates the publisher; in tests with fault injection, with fault points before and after each message. */
export function createPublish(bus: Bus): Publish {
  const publish = createPublisher(bus);
  const faults = currentFaults();
  if (faults === undefined) return publish;
  return async (subject, body, options) => {
    const kinds = kindsOf(subject, options);
    for (const kind of kinds) await faults.pass(`${kind}.before-publish`);
    const published = await publish(subject, body, options);
    for (const kind of kinds) await faults.pass(`${kind}.after-publish`);
    return published;
  };
}
