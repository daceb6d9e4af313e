import { oneLine } from "@planwright/shared/terminal";
import { Argument, Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type Candidate, wantedWord } from "../completion/wanted-word.ts";
import { clientOf, outputOf } from "../global-options.ts";

const SHELLS = ["bash", "zsh"] as const;
type Shell = (typeof SHELLS)[number];

/** Printed instead of candidates when the shell should complete file names. */
const FILES = ":files";

const FILE_VALUES: readonly string[] = ["file", "folder"];
const DESCRIPTION_CHARS_MAX = 80;
/** Words that need no quoting: no name from a gateway can make a shell run anything. */
const WORD = /^[\w.@%+=:,/-]+$/;
const VALUE_OF_OPTION = /^(--[\w-]+=)(.*)$/;

const AFTER = `
Run one of these in your shell, or add it to ~/.bashrc or ~/.zshrc:
  source <(npx planwright completion bash)
  source <(npx planwright completion zsh)`;

/** `planwright completion`: prints the script that makes Tab complete. */
export function completionCommand(context: CommandContext): Command {
  return new Command("completion")
    .description("Print a shell completion script")
    .addArgument(new Argument("<shell>", "Shell to complete in").choices(SHELLS))
    .addHelpText("after", AFTER)
    .action((shell: Shell, _options: unknown, command: Command) => {
      const program = [process.execPath, ...process.argv.slice(1, 2)];
      outputOf(command, context).raw(shellScript(shell, program));
    });
}

/** `planwright complete -- words…`, called by the script: prints the completions of the last word, one per line. */
export function completeCommand(context: CommandContext): Command {
  return new Command("complete")
    .argument("[words...]")
    .action(async (words: string[], _options: unknown, command: Command) => {
      const { raw } = outputOf(command, context);
      const typed = words.at(-1) ?? "";
      const [, option = "", value = typed === "=" ? "" : typed] = VALUE_OF_OPTION.exec(typed) ?? [];
      const before = [...words.slice(0, -1), ...(option === "" ? [] : [option.slice(0, -1)])];
      for (const candidate of await candidatesOf(command, context, [...before, value])) {
        if (candidate === FILES) raw(`${FILES}\n`);
        else if (candidate.value.startsWith(value) && WORD.test(candidate.value)) {
          const about = oneLine(candidate.description).slice(0, DESCRIPTION_CHARS_MAX);
          raw(`${option}${candidate.value}\t${about}\n`);
        }
      }
    });
}

async function candidatesOf(
  command: Command,
  context: CommandContext,
  words: readonly string[],
): Promise<readonly (Candidate | typeof FILES)[]> {
  const wanted = wantedWord(command.parent ?? command, words);
  if (wanted.kind === "one-of") return wanted.candidates;
  if (FILE_VALUES.includes(wanted.of)) return [FILES];
  if (wanted.of === "template") {
    const { templateNames } = await import("../templates/template-store.ts");
    return (await templateNames(context.env)).map((value) => ({ value, description: "" }));
  }
  const { valuesOf } = await import("../completion/values-of.ts");
  return [...(wanted.also ?? []), ...(await valuesOf(clientOf(command, context), wanted))];
}

/**
 * Returns the completion script of a shell. It passes the typed words on unchanged and never evaluates them, so pressing
 * Tab cannot run code in them. It needs no completion package.
 *
 * @param program - The interpreter and this program, as separate words; the program need not be on the PATH.
 */
function shellScript(shell: Shell, program: readonly string[]): string {
  const command = program.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
  const define = `command -v planwright >/dev/null 2>&1 || planwright() { ${command} "$@"; }\n`;
  return define + (shell === "bash" ? bash(command) : zsh(command));
}

function bash(command: string): string {
  return `_planwright_complete() {
  local value rest
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    if [[ $value == ${FILES} ]]; then COMPREPLY=(); return; fi
    COMPREPLY+=("$value")
  done < <(${command} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then compopt +o default 2>/dev/null; fi
}
complete -o default -F _planwright_complete planwright
`;
}

function zsh(command: string): string {
  return `_planwright_complete() {
  local value rest
  local -a candidates
  while IFS=$'\\t' read -r value rest; do
    if [[ $value == ${FILES} ]]; then _files; return; fi
    candidates+=("\${value//:/\\\\:}:$rest")
  done < <(${command} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe planwright candidates
}
compdef _planwright_complete planwright
`;
}
