/** The user of the page and what the role permits, as the gateway reports it from its table of permissions. */
import type { ApprovalDecision, Caller, EndpointId } from "@planwright/client";
import { createContext, useContext } from "react";
import { CALLER } from "./sign-in-words.ts";

/** Undefined until the gateway has answered. Until then everything is offered; the gateway refuses what is not permitted. */
export const CallerContext = createContext<Caller | undefined>(undefined);

export function useCaller(): Caller | undefined {
  return useContext(CallerContext);
}

/** Returns a function that tells whether the role permits a call. */
export function useMay(): (call: EndpointId) => boolean {
  const caller = useCaller();
  return (call) => caller === undefined || caller.calls.includes(call);
}

/** Returns why the role does not permit a call; undefined when it does. */
export function useWhyNot(call: EndpointId): string | undefined {
  const caller = useCaller();
  return useMay()(call) ? undefined : whyNot(caller);
}

/** Returns a function like {@link useWhyNot} for decisions. The policy file may permit fewer decisions than the role. */
export function useWhyNotDecide(): (decision: ApprovalDecision) => string | undefined {
  const caller = useCaller();
  return (decision) =>
    caller === undefined || caller.decisions.includes(decision) ? undefined : whyNot(caller);
}

function whyNot(caller: Caller | undefined): string {
  return CALLER.refused(caller?.role ?? "unknown");
}
