/** Who uses the page, and what the role permits: by what the gateway says, which reads it from its table of permissions. */
import type { ApprovalDecision, Caller, EndpointId } from "@planwright/client";
import { createContext, useContext } from "react";

/** Undefined until the gateway has answered; then everything is offered, and the gateway refuses what is not permitted. */
export const CallerContext = createContext<Caller | undefined>(undefined);

export function useCaller(): Caller | undefined {
  return useContext(CallerContext);
}

/** Whether calls are offered. @returns A function of the call's id. */
export function useMay(): (call: EndpointId) => boolean {
  const caller = useCaller();
  return (call) => caller === undefined || caller.calls.includes(call);
}

/** Why a call is not offered; undefined when it is. */
export function useWhyNot(call: EndpointId): string | undefined {
  const caller = useCaller();
  return useMay()(call) ? undefined : whyNot(caller);
}

/** Why a decision is not offered; undefined when it is. The policy file may permit fewer than the role does. */
export function useWhyNotDecide(): (decision: ApprovalDecision) => string | undefined {
  const caller = useCaller();
  return (decision) =>
    caller === undefined || caller.decisions.includes(decision) ? undefined : whyNot(caller);
}

function whyNot(caller: Caller | undefined): string {
  return `Your role, ${caller?.role ?? "unknown"}, does not permit this.`;
}
