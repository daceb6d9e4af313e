import type { DeadLetter } from "@planwright/api";
import type { PlanBook } from "../book/plan-book.ts";
import { TENANT_DEFAULT } from "@planwright/shared/service";
import { Problem } from "../http/problem.ts";
import type { DeadLetterStore } from "./dead-letter-store.ts";

/** The dead letters that a tenant may see: those of its own plans. Those of no plan are for the operator, the default tenant. */
export type OwnDeadLetters = {
  all(tenant: string): Promise<DeadLetter[]>;
  /** @throws {Problem} `dead_letter_not_found`, also for another tenant's. */
  get(tenant: string, id: string): Promise<{ readonly letter: DeadLetter; readonly payload: string }>;
};

export function createOwnDeadLetters(
  store: DeadLetterStore,
  book: Pick<PlanBook, "tenantOf">,
): OwnDeadLetters {
  const ownerOf = ({ planId }: DeadLetter): string =>
    (planId === undefined ? undefined : book.tenantOf(planId)) ?? TENANT_DEFAULT;
  return {
    async all(tenant) {
      return (await store.all()).filter((letter) => ownerOf(letter) === tenant);
    },
    async get(tenant, id) {
      const found = await store.get(id);
      if (found !== undefined && ownerOf(found.letter) === tenant) return found;
      throw new Problem(
        "dead_letter_not_found",
        `there is no dead letter ${JSON.stringify(id.slice(0, 40))}`,
      );
    },
  };
}
