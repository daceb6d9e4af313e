/** What a command is given besides its options. */
export type CommandContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
};
