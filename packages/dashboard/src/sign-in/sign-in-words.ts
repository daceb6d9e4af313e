/** The texts of the account in the top bar. */

export const ACCOUNT = {
  signedInAs: "Signed in as",
  signOut: "Sign out",
} as const;
