/** The packages that are published, and what each is made of. */

export type PublishedPackage = {
  /** As npm has it. */
  readonly name: string;
  /** From the repository's root. */
  readonly folder: string;
  /**
   * `library`: one module with its types, the private packages inside. `system`: every module of the command line and of
   * the services as a separate file, because they find files and start processes by where they are.
   */
  readonly kind: "library" | "system";
  /** What becomes `dist/index.js` of a library, from `folder`. */
  readonly entry: string;
  /** Of a library: which sources its types come from. Default `tsconfig.build.json`. */
  readonly tsconfig?: string;
};

/** In the order in which they are published: each after those that it depends on. */
export const PUBLISHED: readonly PublishedPackage[] = [
  { name: "@planwright/tools-kit", folder: "packages/tools-kit", kind: "library", entry: "src/index.ts" },
  {
    name: "@planwright/client",
    folder: "packages/client",
    kind: "library",
    entry: "src/index.ts",
    // With plain types in place of those that the private packages derive from schemas.
    tsconfig: "tsconfig.build-client.json",
  },
  { name: "planwright", folder: "packages/cli", kind: "system", entry: "src/main.ts" },
  {
    name: "@planwright/testkit",
    folder: "packages/testkit",
    kind: "library",
    entry: "src/published/index.ts",
    // With the services in one program, the compiler would name types of `plan` by where `shared` passes them on.
    tsconfig: "tsconfig.build-testkit.json",
  },
];
