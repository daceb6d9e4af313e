/** The floor's worker process: takes a message, publishes its result, and acknowledges the message once the result is stored. */
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { FLOOR, PAYLOAD_BYTES } from "./floor-subjects.ts";
import { createThinPublish } from "./thin-publisher.ts";

const connection = await connect({ servers: process.env["NATS_URL"] ?? "", noAsyncTraces: true });
const publish = createThinPublish(connection);
const consumer = await jetstream(connection).consumers.get(FLOOR.workStream, FLOOR.worker);
const body = new Uint8Array(PAYLOAD_BYTES);
await consumer.consume({
  max_messages: 1_000,
  callback: (message) => {
    const id = message.subject.slice(FLOOR.work.length + 1);
    publish(`${FLOOR.log}.${id}`, body, `done/${id}`).then(
      () => message.ack(),
      (error: unknown) => {
        console.error(error);
        process.exitCode = 1;
        process.disconnect?.();
      },
    );
  },
});
// Ends with its parent process.
process.once("disconnect", () => process.exit());
process.send?.("ready");
