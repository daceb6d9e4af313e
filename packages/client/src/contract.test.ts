// The published plain types match the contract's schemas. The compiler compares them: `npm run types`.
import type * as api from "@planwright/api";
import type { Compensation, Json } from "@planwright/plan";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type * as contract from "./contract.ts";

/** Users pass ids as plain strings; inside the system, ids are branded strings. */
type Unbranded<Type> = [Json] extends [Type]
  ? Type
  : Type extends string & z.core.$brand
    ? string
    : Type extends object
      ? { [Key in keyof Type]: Unbranded<Type[Key]> }
      : Type;

/** The type of a schema, by its name in the contract. */
type Named<Name> = Name extends keyof typeof api
  ? (typeof api)[Name] extends z.ZodType
    ? Unbranded<z.output<(typeof api)[Name]>>
    : never
  : Name extends "Compensation"
    ? Unbranded<Compensation>
    : never;

it("declares the types of the schemas without their brands", () => {
  expectTypeOf<contract.Received>().toEqualTypeOf<{ [Name in keyof contract.Received]: Named<Name> }>();
});

it("declares the response of every endpoint", () => {
  expectTypeOf<contract.Answers>().toEqualTypeOf<Unbranded<api.Answers>>();
});

it("matches the request bodies, with fields that have defaults optional", () => {
  expectTypeOf<contract.SubmissionInput>().toEqualTypeOf<Unbranded<api.SubmissionInput>>();
  expectTypeOf<contract.ClientMessageInput>().toEqualTypeOf<
    Unbranded<api.DeepReadonly<api.ClientMessageInput>>
  >();
  expectTypeOf<contract.PlanFilter>().toEqualTypeOf<
    Unbranded<api.DeepReadonly<z.input<typeof api.PlanFilter>>>
  >();
});

it("declares every problem code", () => {
  expectTypeOf<contract.ProblemCode>().toEqualTypeOf<api.ProblemCode>();
});

it("declares every type that the client imports from the API, so that the package builds", () => {
  const folder = import.meta.dirname;
  const contractText = readFileSync(path.join(folder, "contract.ts"), "utf8");
  const published = new Set(Array.from(contractText.matchAll(/^export type (\w+)/gm), ([, name]) => name));
  const missing = globSync("**/*.ts", { cwd: folder })
    .filter((file) => !file.endsWith(".test.ts") && file !== "contract.ts")
    .flatMap((file) => {
      const text = readFileSync(path.join(folder, file), "utf8");
      return [...text.matchAll(/(?:import|export) type \{([^}]*)\} from "@planwright\/api"/g)]
        .flatMap(([, names = ""]) => names.split(","))
        .map((name) => name.trim().split(" as ")[0] ?? "")
        .filter((name) => name !== "" && !published.has(name))
        .map((name) => `${file}: ${name}`);
    });
  expect(missing).toEqual([]);
});
