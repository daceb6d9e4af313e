/** Plans of a model whose replies are written down. */
import type { Scenario } from "./scenario.ts";

export const SCRIPTED_PLANS: Readonly<Record<string, Scenario>> = {};
