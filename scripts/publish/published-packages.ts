/** The published packages, and their contents. */

export type PublishedPackage = {
  /** The name on npm. */
  readonly name: string;
  /** From the repository's root. */
  readonly folder: string;
  /**
   * `library`: one module with its types, the private packages inside. `system`: every module of the command line and of
   * the services as a separate file, because they find files and start processes by where they are.
   */
  readonly kind: "library" | "system";
  /** A library's entry point, relative to `folder`, which becomes `dist/index.js`. */
  readonly entry: string;
  /** For a library: the project of its type declarations. Default `tsconfig.build.json`. */
  readonly tsconfig?: string;
};

/** In publishing order: each after its dependencies. */
export const PUBLISHED: readonly PublishedPackage[] = [
  { name: "@planwright/tools-kit", folder: "packages/tools-kit", kind: "library", entry: "src/index.ts" },
  {
    name: "@planwright/client",
    folder: "packages/client",
    kind: "library",
    entry: "src/index.ts",
    // Uses plain types in place of those that the private packages derive from schemas.
    tsconfig: "tsconfig.build-client.json",
  },
  { name: "planwright", folder: "packages/cli", kind: "system", entry: "src/main.ts" },
  {
    name: "@planwright/testkit",
    folder: "packages/testkit",
    kind: "library",
    entry: "src/published/index.ts",
    // With the services in one program, the compiler would name types of `plan` by their re-exports in `shared`.
    tsconfig: "tsconfig.build-testkit.json",
  },
];
