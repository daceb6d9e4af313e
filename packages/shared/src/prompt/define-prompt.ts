/**
 * Prompts: each is in a file `<what>-prompt.ts`, has a name and a version, and is named in the
 * span of every model call made with it.
 */
import type { ModelMessage } from "../model/model-client.ts";

/** Identifies the prompt of a model call. */
export type PromptId = { readonly name: string; readonly version: number };

/** A rendered prompt: its part of a `ModelRequest`. */
export type RenderedPrompt = { readonly prompt: PromptId; readonly messages: readonly ModelMessage[] };

type Texts = Readonly<Record<string, string>>;

/** The prompt's own text: its id, and every text that a model can see because of it. */
export type PromptTexts = PromptId & { readonly texts: Texts };

export type Prompt<Input> = PromptTexts & { readonly render: (input: Input) => RenderedPrompt };

/** Role, dot, purpose: `planner.plan`. */
const NAME = /^[a-z]+(?:-[a-z]+)*(?:\.[a-z]+(?:-[a-z]+)*)+$/;

/**
 * Defines a prompt.
 *
 * All its own text is in `texts`. `messages` arranges it and adds the input of the call in
 * blocks (`textBlock`, `jsonBlock`), marked as data because it may be untrusted.
 *
 * When you change a text, increment `version` and record it with `npm run docs`; a test rejects a changed
 * text under a recorded version.
 *
 * @throws {RangeError} When the name is not of the form `role.what`, or the version is not a positive integer.
 */
export function definePrompt<Input, Words extends Texts>({
  name,
  version,
  texts,
  messages,
}: PromptId & {
  readonly texts: Words;
  readonly messages: (texts: Words, input: Input) => readonly ModelMessage[];
}): Prompt<Input> {
  if (!NAME.test(name)) throw new RangeError(`a prompt's name is role.what, got ${JSON.stringify(name)}`);
  if (!Number.isInteger(version) || version < 1) {
    throw new RangeError(`a prompt's version is a positive integer, got ${version}`);
  }
  const prompt = { name, version };
  return { ...prompt, texts, render: (input) => ({ prompt, messages: messages(texts, input) }) };
}
