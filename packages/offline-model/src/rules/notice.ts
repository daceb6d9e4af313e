/** How the offline model says what it is, wherever its words are shown. */
export const NOTICE = "offline model: rules, not a language model";

/** What would help where rules cannot. */
export const REMEDY =
  "Set OPENAI_API_KEY (and OPENAI_BASE_URL for another server) to plan and write with a language model.";
