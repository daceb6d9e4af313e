import { jetstream } from "@nats-io/jetstream";
import { connectNats } from "@planwright/shared/access";
import { NO_USAGE, PlanArchived, type PlanOutline } from "@planwright/plan";
import { STREAMS, submissionSubject } from "@planwright/shared/bus";
import { jetstreamManager } from "@nats-io/jetstream";

const AT_ONCE = 500;

type Given = Pick<PlanOutline, "goal" | "status" | "submittedAt"> & Partial<PlanOutline>;

/**
 * Puts many plans that ended into the list: what is left in the log of each once it is archived, one message a plan.
 * Lists and searches know them; their facts are nowhere.
 *
 * @returns Their ids, the oldest first.
 */
export async function seedPlans(natsUrl: string, plans: readonly Given[]): Promise<string[]> {
  const connection = await connectNats({ url: natsUrl }, { name: "test" });
  try {
    const { state } = await (await jetstreamManager(connection)).streams.info(STREAMS.plans);
    const client = jetstream(connection);
    const tombstones = plans.map((plan, index) => tombstoneOf(plan, state.last_seq + index + 1));
    for (let done = 0; done < tombstones.length; done += AT_ONCE) {
      await Promise.all(
        tombstones
          .slice(done, done + AT_ONCE)
          .map((event) => client.publish(submissionSubject(event.planId), JSON.stringify(event))),
      );
    }
    return tombstones.map(({ planId }) => planId);
  } finally {
    await connection.close();
  }
}

function tombstoneOf(plan: Given, sequence: number): PlanArchived {
  const planId = `seeded-${sequence}`;
  const outline = {
    tenant: "default",
    metadata: {},
    strategy: "parallel",
    endedAt: new Date(Date.parse(plan.submittedAt) + 1_000).toISOString(),
    done: 1,
    total: 1,
    percent: 100,
    seq: 3,
    usage: NO_USAGE,
    ...plan,
  };
  return PlanArchived.parse({
    id: `${planId}/archived/${sequence}`,
    type: "plan.archived",
    planId,
    at: outline.endedAt,
    data: {
      firstSequence: sequence,
      lastSequence: sequence,
      outline,
      bodyHash: "",
      trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false },
    },
  });
}
