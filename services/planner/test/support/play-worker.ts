import { type Json, PlanEvent, StepWork } from "@planwright/plan";
import { type Bus, ConflictError, factSubject, poolSubjects, type Publish } from "@planwright/shared/bus";
import { consumeWork, startAckRenewal } from "@planwright/shared/queue";
import type { Logger } from "@planwright/shared/service";

/** Takes steps as an executor would and answers each with the value that `run` returns or the error it throws. */
export async function playWorker(
  { bus, publish, url, log }: { bus: Bus; publish: Publish; url: string; log: Logger },
  run: (work: StepWork) => Promise<Json>,
): Promise<AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  const renewal = stack.use(await startAckRenewal({ url, count: 32, log }));
  const report = async (work: StepWork, type: string, data: object): Promise<void> => {
    const { planId, stepId, item, attempt, after } = work;
    const at = new Date().toISOString();
    const common = { stepId, item, attempt, workerId: "played", startedAt: at, durationMs: 1 };
    const id = `${planId}/${stepId}/${item}/${attempt}/done`;
    const event = PlanEvent.parse({ id, type, planId, after, at, data: { ...common, ...data } });
    await publish(factSubject(event), event, { id, expect: { sequence: 0 } }).catch((error: unknown) => {
      if (!(error instanceof ConflictError)) throw error;
    });
  };
  const queue = {
    durable: "pool-default",
    filter: poolSubjects("default"),
    Schema: StepWork,
    concurrency: 32,
  };
  const consumer = await consumeWork({ bus, publish, renewal, log }, queue, {
    async handle(work) {
      const outcome = await run(work).then(
        (value) => ({ type: "step.succeeded", data: { output: { value } } }),
        (error: unknown) => {
          const failure = { code: "failed", message: error instanceof Error ? error.message : String(error) };
          return { type: "step.failed", data: { error: failure, retryable: true } };
        },
      );
      await report(work, outcome.type, outcome.data);
    },
    giveUp: async () => undefined,
  });
  stack.use(consumer);
  return stack;
}
