/** The display name of a strategy in the dashboard and the CLI. Has no imports, so that both load quickly. */
export function strategyName(strategy: string): string {
  return strategy === "submitted" ? "predefined plan" : strategy;
}
