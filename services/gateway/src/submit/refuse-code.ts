import { Problem } from "../http/problem.ts";

/** The name of the built-in demo model, which is used because no other is configured. */
const DEMO_MODEL = /\boffline\b/;

/** Whether a configured model is the built-in demo model. */
export function isDemoModel(model: string): boolean {
  return DEMO_MODEL.test(model);
}

/**
 * Refuses the strategy `code` while the built-in demo model plans: rules cannot write programs.
 *
 * @throws {Problem} `model_needed`, naming the field.
 */
export function refuseCodeWithoutModel(
  { strategy }: { readonly strategy: string },
  { plannerModel, hasPlan }: { readonly plannerModel: string; readonly hasPlan: boolean },
): void {
  if (strategy !== "code" || hasPlan || !isDemoModel(plannerModel)) return;
  const message =
    "code needs a language model that writes the program, and the built-in demo model cannot: set OPENAI_API_KEY (or OPENAI_BASE_URL), or choose another strategy";
  throw new Problem("model_needed", `strategy: ${message}`, { issues: [{ field: "strategy", message }] });
}
