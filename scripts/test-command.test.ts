// Which tests `npm test` runs for which arguments.
import { expect, it } from "vitest";
import { chooseTests } from "./commands/test.ts";

it.each([[], ["--silent"], ["--bail=1"]])("omits the slow files for %j", (...args) => {
  expect(chooseTests(args)).toEqual({ vitestArgs: ["--project=!full", ...args], isQuick: true });
});

it.each([
  { args: ["--all"], vitestArgs: ["--project=!full"] },
  { args: ["--all", "--bail=1"], vitestArgs: ["--project=!full", "--bail=1"] },
  { args: ["tests/dashboard"], vitestArgs: ["--project=!full", "tests/dashboard"] },
  { args: ["-t", "cycle"], vitestArgs: ["--project=!full", "-t", "cycle"] },
  { args: ["--testNamePattern=cycle"], vitestArgs: ["--project=!full", "--testNamePattern=cycle"] },
  { args: ["--project", "e2e"], vitestArgs: ["--project", "e2e"] },
  { args: ["--project=e2e", "--all"], vitestArgs: ["--project=e2e"] },
])("runs slow files too for $args", ({ args, vitestArgs }) => {
  expect(chooseTests(args)).toEqual({ vitestArgs, isQuick: false });
});
