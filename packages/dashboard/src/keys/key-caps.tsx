/** As keyboards show them. */
const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** The keys of a binding, as they look on a keyboard. */
export function KeyCaps({ keys }: { keys: string }) {
  return keys.split(" ").map((key) => <kbd key={key}>{SIGNS[key] ?? key}</kbd>);
}
