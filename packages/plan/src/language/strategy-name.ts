/** The name of a strategy on the page and in the terminal. Free of imports, so that both load little. */
export function strategyName(strategy: string): string {
  return strategy === "submitted" ? "predefined plan" : strategy;
}
