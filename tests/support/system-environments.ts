/** What whole systems are given in tests, and where the page's answers are recorded. */
import { freePort } from "@planwright/launcher";
import { OFFLINE_MODEL } from "@planwright/offline-model";

/** In dollars for a million tokens, of each model of a scripted system. */
export const PRICES = { inputUsdPerMillion: 100, outputUsdPerMillion: 400 };

/** With the built-in demo model, as without a key. */
export async function demoEnvironment(): Promise<Record<string, string>> {
  return {
    ...(await tracedEnvironment()),
    PLANNER_MODEL: OFFLINE_MODEL,
    EXECUTOR_MODEL: OFFLINE_MODEL,
    REFLECTOR_MODEL: OFFLINE_MODEL,
  };
}

/** With a scripted model that costs something. */
export async function scriptedEnvironment(): Promise<Record<string, string>> {
  const prices = { "test-planner": PRICES, "test-executor": PRICES, "test-reflector": PRICES };
  return { ...(await tracedEnvironment()), MODEL_PRICES: JSON.stringify(prices) };
}

/** As `npm start` has it: the services send their spans to the gateway. */
async function tracedEnvironment(): Promise<Record<string, string>> {
  const port = await freePort("127.0.0.1");
  return { PORT: String(port), PLANWRIGHT_TRACE_RECEIVER: `http://127.0.0.1:${port}/otlp` };
}
