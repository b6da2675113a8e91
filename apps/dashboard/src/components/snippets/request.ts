/** A turn of a conversation. Its content is a text, or the parts that the format has. */
export interface SnippetMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: unknown;
}

export interface SnippetInput {
  /** Base address of the API, without `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly format: 'chat' | 'messages';
  readonly messages?: readonly SnippetMessage[];
  /** Output tokens at most; the messages format has to name a number, 1,024 where none is given. */
  readonly maxTokens?: number;
  readonly stream?: boolean;
  /** Further fields of the request as the format writes them, such as `temperature`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface Snippet {
  /** Names the snippet in the address: `openai-js`. */
  readonly id: string;
  readonly title: string;
  readonly code: string;
  /** The command that installs what the code imports; `null` where nothing is needed. */
  readonly install: string | null;
  /** The file that the code belongs into, where it has a name. */
  readonly file: string | null;
}

/** The environment variable that holds the key; its secret is never written into a snippet. */
export const KEY_VARIABLE = 'KEY';

const MESSAGES_MAXIMUM = 1_024;
const HELLO: readonly SnippetMessage[] = [{ role: 'user', content: 'Hello!' }];

export function turnsOf({ messages }: SnippetInput): readonly SnippetMessage[] {
  return messages === undefined || messages.length === 0 ? HELLO : messages;
}

/** What a client sends. The messages format has instructions beside its turns. */
export function bodyOf(input: SnippetInput): Readonly<Record<string, unknown>> {
  const { model, format, maxTokens, stream = false, extra = {} } = input;
  const turns = turnsOf(input);
  const streamed = stream ? { stream } : {};
  if (format === 'chat') return { model, ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }), messages: turns, ...extra, ...streamed };
  const system = turns.filter(({ role }) => role === 'system').map(({ content }) => content);
  return {
    model,
    max_tokens: maxTokens ?? MESSAGES_MAXIMUM,
    ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
    messages: turns.filter(({ role }) => role !== 'system'),
    ...extra,
    ...streamed,
  };
}

/** Whether every turn is plain text and nothing else is asked for, so that libraries with types of their own can say the same. */
export function isPlain(input: SnippetInput): boolean {
  return Object.keys(input.extra ?? {}).length === 0 && turnsOf(input).every(({ role, content }) => role !== 'tool' && typeof content === 'string');
}
