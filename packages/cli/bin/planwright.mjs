#!/usr/bin/env node
// Plain JavaScript, so that any Node can say what is missing.
import module from "node:module";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `planwright needs Node 24 or newer, this is ${process.version}: run it as \`npx planwright\``,
  );
  process.exitCode = 1;
} else {
  module.enableCompileCache();
  const { main } = await import("../src/main.ts");
  await main();
}
