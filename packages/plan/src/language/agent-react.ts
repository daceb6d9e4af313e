/** The tool whose steps are loops: reason, act, observe, and again. */
export const AGENT_REACT = "agent.react";
