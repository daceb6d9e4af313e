/**
 * Prompts: each is in a file `<what>-prompt.ts`, has a name and a version, and is named in the
 * span of every model call that it leads to.
 */
import type { ModelMessage } from "../model/model-client.ts";

/** Which prompt a model call was made with. */
export type PromptId = { readonly name: string; readonly version: number };

/** A prompt with everything filled in: the part of a `ModelRequest` that it decides. */
export type RenderedPrompt = { readonly prompt: PromptId; readonly messages: readonly ModelMessage[] };

type Texts = Readonly<Record<string, string>>;

/** What a prompt's own words are: its id, and every text that a model may be shown because of it. */
export type PromptTexts = PromptId & { readonly texts: Texts };

export type Prompt<Input> = PromptTexts & { readonly render: (input: Input) => RenderedPrompt };

/** Role, dot, what is asked for: `planner.plan`. */
const NAME = /^[a-z]+(?:-[a-z]+)*(?:\.[a-z]+(?:-[a-z]+)*)+$/;

/**
 * Defines a prompt.
 *
 * All its own text is in `texts`. `messages` arranges them and adds what the call is about, which goes into
 * blocks (`textBlock`, `jsonBlock`) and is marked as data: it may be untrusted.
 *
 * When you change a text, increment `version` and record it with `npm run docs`; a test refuses other
 * words under a version that was recorded before.
 *
 * @throws {RangeError} When the name is not of the form `role.what`, or the version no positive integer.
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
