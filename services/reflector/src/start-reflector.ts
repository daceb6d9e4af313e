import type { ArtifactStore } from "@planwright/shared/artifacts";
import { FACTS_QUEUE, parseWorkSubject, REFLECTOR_QUEUE } from "@planwright/shared/bus";
import { HANDLE_TASKS, type JobDeps, modelJob, watchWork } from "@planwright/shared/jobs";
import { type AckRenewal, consumeWork, createTurns } from "@planwright/shared/queue";
import { z } from "zod";
import { extractFacts } from "./handlers/extract-facts.ts";
import { reviewDraft } from "./handlers/review-draft.ts";
import { reviewStep } from "./handlers/review-step.ts";
import { synthesizeAnswer } from "./handlers/synthesize-answer.ts";

export type ReflectorDeps = Omit<JobDeps, "stops"> & {
  readonly renewal: AckRenewal;
  readonly artifacts: ArtifactStore;
  /** Limit for concurrent reviews of plans, and for concurrent extractions of facts. */
  readonly concurrency: number;
};

/** Reviews the results of plans and steps until disposed. Disposing finishes work in progress, or hands it back after 5 s. */
export async function startReflector(deps: ReflectorDeps): Promise<AsyncDisposable> {
  const { bus, concurrency } = deps;
  await using stack = new AsyncDisposableStack();
  const jobDeps = { ...deps, stops: stack.use(watchWork(bus, deps.log)) };
  const queueDeps = { ...deps, turns: createTurns() };
  const answer = modelJob(jobDeps, synthesizeAnswer(deps));
  const draft = modelJob(jobDeps, reviewDraft(deps));
  const step = modelJob(jobDeps, reviewStep(deps));
  const facts = modelJob(jobDeps, extractFacts(deps));
  const reflecting = {
    ...REFLECTOR_QUEUE,
    concurrency,
    Schema: z.union([answer.Task, step.Task, draft.Task]),
  };
  stack.use(
    await consumeWork(queueDeps, reflecting, {
      ...HANDLE_TASKS,
      async giveUpUnread(subject, cause) {
        const address = parseWorkSubject(subject);
        if (address?.kind === "join") await answer.giveUp(address, cause);
        else if (address?.kind === "review") await step.giveUp(address, cause);
        else if (address?.kind === "critique") await draft.giveUp(address, cause);
      },
    }),
  );
  const extracting = { ...FACTS_QUEUE, concurrency, Schema: facts.Task };
  stack.use(
    await consumeWork(queueDeps, extracting, {
      ...HANDLE_TASKS,
      async giveUpUnread(subject, cause) {
        const address = parseWorkSubject(subject);
        if (address?.kind === "facts") await facts.giveUp(address, cause);
      },
    }),
  );
  return stack.move();
}
