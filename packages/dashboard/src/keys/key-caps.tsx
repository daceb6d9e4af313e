/** Key names as printed on keyboards. */
const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** The keys of a binding, drawn as keyboard keys. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className="inline-flex flex-none items-start gap-1">
      {keys.split(" ").map((key) => (
        <kbd key={key} className="min-w-6 bg-sunken text-center font-mono text-xs">
          {SIGNS[key] ?? key}
        </kbd>
      ))}
    </span>
  );
}
