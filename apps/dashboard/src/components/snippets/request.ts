/** `content` is text, or a list of parts in the request's format. */
export interface SnippetMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: unknown;
}

/** Tool calls and results, which are separate items in the responses format. */
type SnippetItem = { readonly role?: never; readonly content?: never; readonly call_id: string } & (
  | { readonly type: 'function_call'; readonly name: string; readonly arguments: string }
  | { readonly type: 'function_call_output'; readonly output: string }
);

export type SnippetTurn = SnippetMessage | SnippetItem;

export interface SnippetInput {
  /** Address of the gateway, without `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly format: 'chat' | 'messages' | 'responses';
  readonly messages?: readonly SnippetTurn[];
  /** Default 1,024 in the messages format, which requires it; otherwise none. */
  readonly maxTokens?: number;
  readonly stream?: boolean;
  /** Only for the responses format; true by default. */
  readonly store?: boolean;
  /** Further request fields, named as in the format. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface Snippet {
  /** Used in the URL: `openai-js`. */
  readonly id: string;
  readonly title: string;
  readonly code: string;
  /** Command that installs the packages; `null` if none are needed. */
  readonly install: string | null;
  /** Name of the file for the code; `null` for commands. */
  readonly file: string | null;
}

/** Environment variable that snippets read the key from, so that no snippet contains the secret. */
export const KEY_VARIABLE = 'KEY';

const MAX_MESSAGES = 1_024;
type Body = Readonly<Record<string, unknown>>;

const HELLO: readonly SnippetMessage[] = [{ role: 'user', content: 'Hello!' }];

export function turnsOf({ messages }: SnippetInput): readonly SnippetTurn[] {
  return messages === undefined || messages.length === 0 ? HELLO : messages;
}

/** All system messages as one text, for formats and clients with a separate field for it; empty without system messages. */
export function instructionsOf(input: SnippetInput): string {
  return turnsOf(input).filter(({ role }) => role === 'system').map(({ content }) => content).join('\n\n');
}

export function talkOf(input: SnippetInput): readonly SnippetTurn[] {
  return turnsOf(input).filter(({ role }) => role !== 'system');
}

function chatBody(input: SnippetInput): Body {
  const { model, maxTokens } = input;
  return { model, ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }), messages: turnsOf(input) };
}

function messagesBody(input: SnippetInput): Body {
  const system = instructionsOf(input);
  return { model: input.model, max_tokens: input.maxTokens ?? MAX_MESSAGES, ...(system === '' ? {} : { system }), messages: talkOf(input) };
}

/** A single text turn is sent as a string. */
function responsesBody(input: SnippetInput): Body {
  const { model, maxTokens, store } = input;
  const instructions = instructionsOf(input);
  const turns = talkOf(input);
  const [first] = turns;
  return {
    model,
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(instructions === '' ? {} : { instructions }),
    input: turns.length === 1 && first?.role === 'user' && typeof first.content === 'string' ? first.content : turns,
    ...(store === undefined ? {} : { store }),
  };
}

const BODIES: Readonly<Record<SnippetInput['format'], (input: SnippetInput) => Body>> = { chat: chatBody, messages: messagesBody, responses: responsesBody };

export function bodyOf(input: SnippetInput): Body {
  const { format, extra, stream = false } = input;
  return { ...BODIES[format](input), ...extra, ...(stream ? { stream } : {}) };
}

/** True for plain text turns without further fields, which typed libraries can express. */
export function isPlain(input: SnippetInput): boolean {
  return Object.keys(input.extra ?? {}).length === 0 && turnsOf(input).every(({ role, content }) => role !== 'tool' && typeof content === 'string');
}
