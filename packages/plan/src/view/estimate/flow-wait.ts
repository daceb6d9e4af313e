/** The diagnostic tool whose steps state their duration. */
export const FLOW_WAIT = "flow.wait";
