import type { FoundPrompt } from "../prompts/read-prompts.ts";
import { tableOf } from "./markdown.ts";

/** The fixed text of every prompt, as the models read it. */
export function promptsPage(prompts: readonly FoundPrompt[]): string {
  const rows = prompts.map(({ name, version, file }) => [`\`${name}\``, String(version), `\`${file}\``]);
  return `# Prompts

The words that the models are given, besides what a call is about. What versions are for: [prompts](../prompts.md).

${tableOf(["prompt", "version", "file"], rows)}

${prompts.map(sectionOf).join("\n\n")}
`;
}

function sectionOf({ name, version, texts }: FoundPrompt): string {
  const parts = Object.entries(texts).map(([key, text]) => `\`${key}\`:\n\n${fenced(text)}`);
  return [`## ${name}, version ${version}`, ...parts].join("\n\n");
}

function fenced(text: string): string {
  return `~~~text\n${text}\n~~~`;
}
