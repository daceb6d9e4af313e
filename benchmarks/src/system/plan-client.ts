/** A client as users would write it: submits plans and receives every event until the plan's last one. */
import { once } from "node:events";
import { Planwright, type SubmissionInput } from "@planwright/client";
import { WebSocket } from "ws";
import { z } from "zod";

/** A plan's progress as its client saw it: milliseconds since it sent the submission. */
export type PlanRun = {
  readonly planId: string;
  readonly acceptedMs: number;
  /** When the client received each step's success. */
  readonly stepsMs: readonly number[];
  readonly answeredMs: number;
  readonly endedMs: number;
  readonly outcome: string;
  readonly answer: unknown;
};

export type PlanClient = AsyncDisposable & {
  /**
   * Submits a plan and follows it to its end.
   *
   * @param onStep - Called at each received success.
   * @throws When the plan is refused or the connection ends.
   */
  run(body: object, onStep?: () => void): Promise<PlanRun>;
};

const Message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("accepted"), id: z.int(), planId: z.string() }),
  z.object({ type: z.literal("event"), planId: z.string(), event: z.unknown().optional() }),
  z.object({ type: z.literal("error"), id: z.int().optional(), code: z.string(), message: z.string() }),
]);

/**
 * All plans over one WebSocket, using its messages directly: the measurement is of the system, so following a thousand plans
 * must cost this process as little as possible.
 */
export async function connectPlanClient(url: string): Promise<PlanClient> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/ws`);
  const submitted = new Map<number, Recorder>();
  const watched = new Map<string, Recorder>();
  let number = 0;

  socket.on("message", (data: Buffer) => {
    const message = Message.parse(JSON.parse(data.toString()));
    if (message.type === "event") {
      if (watched.get(message.planId)?.hear(message.event)) watched.delete(message.planId);
    } else if (message.type === "accepted") {
      const recorder = submitted.get(message.id);
      submitted.delete(message.id);
      if (recorder === undefined) return;
      recorder.accept(message.planId);
      watched.set(message.planId, recorder);
    } else {
      const error = new Error(`the gateway refused: ${message.code}: ${message.message}`);
      const refused = message.id === undefined ? [...submitted.values()] : [submitted.get(message.id)];
      for (const recorder of refused) recorder?.fail(error);
    }
  });
  socket.on("close", (code) => {
    const error = new Error(`the gateway closed the connection with ${code}`);
    for (const recorder of [...submitted.values(), ...watched.values()]) recorder.fail(error);
  });
  await once(socket, "open");

  return {
    run(body, onStep) {
      number += 1;
      const recorder = createRecorder(onStep);
      submitted.set(number, recorder);
      socket.send(JSON.stringify({ id: number, type: "submit", body, watch: true }));
      return recorder.finished;
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
    },
  };
}

/** Each plan by a POST, and its events as server-sent events. */
export function createHttpPlanClient(url: string): PlanClient {
  const { plans } = new Planwright({ baseUrl: url, maxRetries: 0 });
  return {
    async run(body, onStep) {
      const recorder = createRecorder(onStep);
      const { planId } = await plans.submit(body as SubmissionInput);
      recorder.accept(planId);
      for await (const { event } of plans.events(planId)) if (recorder.hear(event)) break;
      return recorder.finished;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The part of an event that is read; everything else is covered by the gateway's tests. */
const Fact = z.object({
  type: z.string(),
  data: z.object({
    answer: z.object({ text: z.string(), data: z.unknown().optional() }).optional(),
    outcome: z.unknown().optional(),
  }),
});

type Recorder = {
  accept(planId: string): void;
  /** True at the plan's last event. */
  hear(event: unknown): boolean;
  fail(error: Error): void;
  readonly finished: Promise<PlanRun>;
};

function createRecorder(onStep: () => void = () => undefined): Recorder {
  const sentAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<PlanRun>();
  const elapsed = (): number => performance.now() - sentAt;
  const stepsMs: number[] = [];
  const seen = { planId: "", acceptedMs: 0, answeredMs: 0, answer: undefined as unknown };
  return {
    accept(planId) {
      seen.planId = planId;
      seen.acceptedMs = elapsed();
    },
    hear(event) {
      const { type, data } = Fact.parse(event);
      if (type === "step.succeeded") {
        stepsMs.push(elapsed());
        onStep();
      } else if (type === "answer.given") {
        seen.answeredMs = elapsed();
        seen.answer = data.answer?.data ?? data.answer?.text;
      } else if (type === "plan.ended") {
        resolve({ ...seen, stepsMs, endedMs: elapsed(), outcome: String(data.outcome) });
        return true;
      }
      return false;
    },
    fail: reject,
    finished: promise,
  };
}
