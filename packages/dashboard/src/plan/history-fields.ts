/** The field in a plan's address that names the event up to which the plan is shown. */
export const HISTORY_FIELD = "history";
/** Its name in links of earlier versions, which still work. */
export const OLD_HISTORY_FIELD = "seq";
