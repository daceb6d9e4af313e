#!/usr/bin/env node
// Plain JavaScript, so that any Node can say what is missing.
import module from "node:module";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `planwright runs on the Node that it installs, and this is ${process.version}: ` +
      "run `npx planwright` in Planwright's folder",
  );
  process.exitCode = 1;
} else {
  module.enableCompileCache();
  const { main } = await import("../src/main.ts");
  await main();
}
