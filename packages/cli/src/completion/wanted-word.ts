/** Determines from the definitions of the commands what can follow on a command line. */
import type { Argument, Command, Option } from "commander";
import { isRepeatable } from "../option-values.ts";
import { fullName, jsonFieldsOf } from "../output/json-fields.ts";

export type Candidate = { readonly value: string; readonly description: string };

/** The kinds of word that can be under the cursor. */
export type WantedWord =
  | { readonly kind: "one-of"; readonly candidates: readonly Candidate[] }
  /** A value, by the name in `<brackets>` of its option or argument; `before` holds the command's earlier arguments. */
  | {
      readonly kind: "value";
      readonly of: string;
      readonly command: string;
      readonly before: readonly string[];
      /** Other words that are possible here. */
      readonly also?: readonly Candidate[];
    };

const NOTHING: WantedWord = { kind: "one-of", candidates: [] };

/** @param words - All words after the program's name; the last one is under the cursor and may be empty. */
export function wantedWord(program: Command, words: readonly string[]): WantedWord {
  const line = readLine(program, words.slice(0, -1));
  const current = words.at(-1) ?? "";
  if (line.open?.long === "--json")
    return withFields(wordAfter(program, { ...line, open: undefined }, current), line, current);
  return wordAfter(program, line, current);
}

function wordAfter(program: Command, line: Line, current: string): WantedWord {
  if (line.open !== undefined) return valueOf(line.open, line);
  if (current.startsWith("-") && !line.onlyArguments) return oneOf(optionsOf(line));
  if (line.command === program) {
    // Commander adds the command "help", which takes a command as its argument.
    const isCommand = line.before.length === 0 || (line.before.length === 1 && line.before[0] === "help");
    return isCommand ? oneOf(commandsOf(program)) : NOTHING;
  }
  if (line.command.commands.length > 0)
    return line.before.length === 0 ? oneOf(commandsOf(line.command)) : NOTHING;
  const known = line.command.registeredArguments;
  const argument = known[line.before.length] ?? known.findLast(({ variadic }) => variadic);
  return argument === undefined ? NOTHING : valueOf(argument, line);
}

/** The word after `--json` can be fields, or any word that would follow without it. */
function withFields(wanted: WantedWord, { command }: Line, current: string): WantedWord {
  const before = current.slice(0, current.lastIndexOf(",") + 1);
  const fields = jsonFieldsOf(fullName(command)).map((field) => ({
    value: `${before}${field}`,
    description: "",
  }));
  if (wanted.kind === "one-of") return oneOf([...fields, ...wanted.candidates]);
  return { ...wanted, also: fields };
}

export type Line = {
  readonly command: Command;
  /** Its arguments so far. */
  readonly before: readonly string[];
  readonly used: readonly Option[];
  /** An option whose value has not been typed yet. */
  readonly open: Option | undefined;
  /** After `--`. */
  readonly onlyArguments: boolean;
};

/** Reads the words before the one under the cursor. */
export function readLine(program: Command, words: readonly string[]): Line {
  let line: Line = { command: program, before: [], used: [], open: undefined, onlyArguments: false };
  // The shell splits `--status=running` at the equals sign.
  for (const word of words) if (word !== "=") line = withWord(line, word);
  return line;
}

function withWord(line: Line, word: string): Line {
  const { command, before, used, open, onlyArguments } = line;
  if (word.startsWith("-") && word !== "-" && !onlyArguments) {
    if (word === "--") return { ...line, open: undefined, onlyArguments: true };
    const option = knownOptions(command).find(({ long, short }) => word === long || word === short);
    if (option === undefined) return { ...line, open: undefined };
    return {
      ...line,
      used: [...used, option],
      open: option.required || option.optional ? option : undefined,
    };
  }
  // This word is the option's value.
  if (open !== undefined) return { ...line, open: undefined };
  const child = before.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
  return child === undefined ? { ...line, before: [...before, word] } : { ...line, command: child };
}

function valueOf(wanted: Argument | Option, { command, before }: Line): WantedWord {
  const choices = wanted.argChoices;
  if (choices !== undefined) return oneOf(choices.map((value) => ({ value, description: "" })));
  const of = "flags" in wanted ? (/[<[]([\w-]+)/.exec(wanted.flags)?.[1] ?? "") : wanted.name();
  return { kind: "value", of, command: command.name(), before };
}

function optionsOf({ command, used }: Line): Candidate[] {
  return knownOptions(command)
    .filter((option) => !option.hidden && (isRepeatable(option) || !used.includes(option)))
    .map(({ long, flags, description }) => ({ value: long ?? flags, description }));
}

/** Returns the command's own options, the global ones, and `--help`. */
function knownOptions(command: Command): Option[] {
  const help = command.createHelp();
  const inherited = command.parent === null ? [] : help.visibleGlobalOptions(command);
  return [...help.visibleOptions(command), ...inherited];
}

function commandsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((one) => ({ value: one.name(), description: one.description() }));
}

function oneOf(candidates: readonly Candidate[]): WantedWord {
  return { kind: "one-of", candidates };
}
