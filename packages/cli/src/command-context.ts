/** What a command is given besides its options. */
export type CommandContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What a person types to run it: in the repository it is on no PATH. */
export const COMMAND = "npx planwright";
