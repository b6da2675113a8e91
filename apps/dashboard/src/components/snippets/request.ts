/** A turn of a conversation. Its content is a text, or the parts that the format has. */
export interface SnippetMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: unknown;
}

/** A call of a tool, or its result, each of which is an item of its own in the responses format. */
export type SnippetItem = { readonly role?: never; readonly content?: never; readonly call_id: string } & (
  | { readonly type: 'function_call'; readonly name: string; readonly arguments: string }
  | { readonly type: 'function_call_output'; readonly output: string }
);

export type SnippetTurn = SnippetMessage | SnippetItem;

export interface SnippetInput {
  /** Base address of the API, without `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly format: 'chat' | 'messages' | 'responses';
  readonly messages?: readonly SnippetTurn[];
  /** Output tokens at most; the messages format has to name a number, 1,024 where none is given. */
  readonly maxTokens?: number;
  readonly stream?: boolean;
  /** Whether the gateway stores the reply, which only the responses format can say; it does where nothing is given. */
  readonly store?: boolean;
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

const MAX_MESSAGES = 1_024;
type Body = Readonly<Record<string, unknown>>;

const HELLO: readonly SnippetMessage[] = [{ role: 'user', content: 'Hello!' }];

export function turnsOf({ messages }: SnippetInput): readonly SnippetTurn[] {
  return messages === undefined || messages.length === 0 ? HELLO : messages;
}

/** The instructions, which stand beside the turns in every format but chat. Empty for none. */
export function instructionsOf(input: SnippetInput): string {
  return turnsOf(input).filter(({ role }) => role === 'system').map(({ content }) => content).join('\n\n');
}

/** What is no instruction. */
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

/** One plain text is its own input. */
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

/** What a client sends. */
export function bodyOf(input: SnippetInput): Body {
  const { format, extra, stream = false } = input;
  return { ...BODIES[format](input), ...extra, ...(stream ? { stream } : {}) };
}

/** Whether every turn is plain text and nothing else is asked for, so that libraries with types of their own can say the same. */
export function isPlain(input: SnippetInput): boolean {
  return Object.keys(input.extra ?? {}).length === 0 && turnsOf(input).every(({ role, content }) => role !== 'tool' && typeof content === 'string');
}
