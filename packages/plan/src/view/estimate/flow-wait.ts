/** The diagnostic whose steps say how long they take. */
export const FLOW_WAIT = "flow.wait";
