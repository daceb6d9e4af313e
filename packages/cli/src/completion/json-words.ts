/** Finds the word of a command line that is the value of `--json [fields]`. */
import type { Command } from "commander";
import { fullName, jsonFieldsOf } from "../output/json-fields.ts";
import { readLine } from "./wanted-word.ts";

const FIELD_LIST = /^[A-Za-z][A-Za-z]*(,[A-Za-z][A-Za-z]*)*$/;

/**
 * Joins each `--json` with its fields to one word, `--json=a,b`, or `--json=` without fields, so that it does not take the
 * command's next argument: `show --json ID`.
 *
 * The next word is fields if the command takes no arguments, if it names a field of the command, or if it has a comma.
 */
export function withJsonFields(program: Command, args: readonly string[]): string[] {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  const command = readLine(
    program,
    own.filter((word) => word !== "--json"),
  ).command;
  const words: string[] = [];
  for (let index = 0; index < own.length; index += 1) {
    const word = own[index] ?? "";
    const next = own[index + 1];
    const { command: parent, open } = readLine(program, words);
    // `--goal --json` is a goal.
    if (word !== "--json" || open?.required === true) words.push(word);
    else if (next !== undefined && !isCommand(next, parent) && isFields(next, command)) {
      words.push(`--json=${next}`);
      index += 1;
    } else words.push("--json=");
  }
  return [...words, ...args.slice(own.length)];
}

function isCommand(word: string, parent: Command): boolean {
  return parent.commands.some((one) => one.name() === word);
}

function isFields(word: string, command: Command): boolean {
  if (!FIELD_LIST.test(word)) return false;
  if (command.registeredArguments.length === 0 || word.includes(",")) return true;
  return jsonFieldsOf(fullName(command)).includes(word);
}
