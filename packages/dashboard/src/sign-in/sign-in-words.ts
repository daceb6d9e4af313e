/** The texts of the account in the top bar. */

export const ACCOUNT = {
  signedInAs: "Signed in as",
  signOut: "Sign out",
} as const;

export const CALLER = {
  refused: (value: string | number) => `Your role (${value}) does not permit this.`,
} as const;
