/** The texts of the keyboard shortcuts. */

export const KEYS_DIALOG = {
  keyboardShortcuts: "Keyboard shortcuts",
  closeShortcuts: "Close shortcuts",
  enable: "Enable single-key shortcuts (Escape always works)",
  whenOff: "Single-key shortcuts are off while you type or hold Ctrl, Alt or Cmd.",
} as const;

export const PAGE_KEYS = {
  keyboardShortcuts: "Keyboard shortcuts",
  keyboardShortcutsKey: "Keyboard shortcuts (?)",
  showShortcuts: "Show shortcuts",
  newGoal: "New goal",
} as const;
