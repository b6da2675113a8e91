import { EVENT_MARK, RESPONSES_EVENT_MARK, WHOLE_MODEL } from '../upstream/replies.js';
import type { LoadTarget } from './load-generator.js';

/** Number of digits of a conversation number, enough for the microseconds since 1970. */
export const NUMBER_DIGITS = 16;

/** Placeholder for the conversation number. */
export const NUMBER_PLACE = '0'.repeat(NUMBER_DIGITS);

export interface Body {
  readonly name: string;
  /** Requests as JSON texts in ASCII. Each contains the messages of the request before it, and further ones. */
  readonly requests: readonly string[];
  /** Offset of the conversation number in the first message of each request; `null` if the body has no number. */
  readonly numberAt: number | null;
  /** The text directly before the number of an event in the reply's stream. */
  readonly eventMark: string;
}

export function constantBody(name: string, text: string): Body {
  return { name, requests: [text], numberAt: null, eventMark: EVENT_MARK };
}

/** A body with a conversation number. Throws unless every request contains `NUMBER_PLACE` at the same offset. */
export function numberedBody(name: string, requests: readonly string[]): Body {
  const [numberAt, ...others] = new Set(requests.map((text) => text.indexOf(NUMBER_PLACE)));
  if (numberAt === undefined || numberAt < 0 || others.length > 0) throw new Error(`${name} has no placeholder for the number of a conversation`);
  return { name, requests, numberAt, eventMark: EVENT_MARK };
}

const WORDS = 'the order of a request is kept from its first message to its last and what the tool answered stands between them as the model saw it'.split(' ');
const CODE = 'export function sumOf(values: readonly number[]): number {\n  return values.reduce((sum, value) => sum + value, 0);\n}\n';

/** A chat request. The model is its first field, because the upstream looks for it at the beginning of the body. */
function chat(model: string, rest: object): string {
  return JSON.stringify({ model, ...rest });
}

/** Words that depend only on the seed; their order repeats only in long texts. */
export function prose(characters: number, seed: number): string {
  let text = '';
  for (let position = seed; text.length < characters; position += 1) text += `${WORDS[(position * position + seed) % WORDS.length] ?? ''} `;
  return text.slice(0, characters);
}

/** One request of about 300 bytes. */
export function smallBody(model: string = WHOLE_MODEL): Body {
  const messages = [
    { role: 'system', content: 'You are a helpful assistant. Answer in one sentence.' },
    { role: 'user', content: prose(120, 7) },
  ];
  return constantBody('small', chat(model, { messages, max_tokens: 256, temperature: 0.7 }));
}

export function streamedBody(model: string): Body {
  const messages = [{ role: 'user', content: prose(200, 3) }];
  return constantBody('streamed', chat(model, { messages, max_tokens: 4096, stream: true }));
}

function tool(position: number): object {
  return {
    type: 'function',
    function: {
      name: `tool_${position}`,
      description: prose(220, position),
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: prose(60, position + 1) },
          line: { type: 'integer', minimum: 1 },
          options: { type: 'object', properties: { recursive: { type: 'boolean' }, pattern: { type: 'string' } } },
        },
        required: ['path'],
      },
    },
  };
}

/** A user's text. The first message of a conversation begins with the conversation number. */
function wish(characters: number, position: number): string {
  return position === 0 ? `${NUMBER_PLACE} ${prose(characters - NUMBER_PLACE.length - 1, position)}` : prose(characters, position);
}

/** Four messages of a conversation with an agent: a question, a tool call, its result, and a remark. */
function agentRound(position: number, characters: number): readonly object[] {
  const id = `call_${position}`;
  const callArguments = JSON.stringify({ path: `src/part-${position}/file.ts`, line: position + 1 });
  return [
    { role: 'user', content: wish(Math.floor(characters / 4), position) },
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: `tool_${position % 20}`, arguments: callArguments } }] },
    { role: 'tool', tool_call_id: id, content: CODE.repeat(Math.ceil(characters / CODE.length)).slice(0, characters) },
    { role: 'assistant', content: prose(characters / 4, position + 5) },
  ];
}

/** Shape of a conversation with an agent; `messages` and `characters` are averages over its requests. */
interface AgentShape {
  /** Number of messages, a multiple of four. */
  readonly messages: number;
  readonly characters: number;
  /** Number of requests, an even one. Each adds two messages: a call and its result, or a remark and the next question. */
  readonly requests: number;
}

/** The requests of a conversation with 20 tools. The last message of each is a tool result or a question. */
function agentBody(name: string, { messages: average, characters, requests }: AgentShape): Body {
  const tools = Array.from({ length: 20 }, (_none, position) => tool(position));
  const perRound = Math.floor((characters - JSON.stringify(tools).length) / (average / 4) / 1.5 - 250);
  const first = average - requests + 1;
  const last = average + requests - 1;
  const messages = Array.from({ length: Math.ceil(last / 4) }, (_none, position) => agentRound(position, perRound)).flat();
  return numberedBody(name, Array.from({ length: requests }, (_none, position) => (
    chat(WHOLE_MODEL, { messages: messages.slice(0, first + 2 * position), tools, max_tokens: 1024 }))));
}

/** Ten requests; on average 40 messages, 20 tools and 60 KB. */
export function typicalBody(): Body {
  return agentBody('agent', { messages: 40, characters: 60_000, requests: 10 });
}

/** Four requests of about 1.5 MB in 160 messages, within the gateway's limits. */
export function largeBody(): Body {
  return agentBody('large', { messages: 160, characters: 1_500_000, requests: 4 });
}

/** One request whose messages alternate between user and assistant and have equal length. */
export function conversationBody(messageCount: number): Body {
  const messages = Array.from({ length: messageCount }, (_none, position) => (
    { role: position % 2 === 0 ? 'user' : 'assistant', content: wish(300, position) }));
  return numberedBody(`${messageCount} messages`, [chat(WHOLE_MODEL, { messages, max_tokens: 256 })]);
}

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: object }[];
  readonly max_tokens: number;
  readonly stream?: boolean;
}

function itemsOf({ role, content, tool_call_id, tool_calls }: ChatMessage): readonly object[] {
  if (role === 'tool') return [{ type: 'function_call_output', call_id: tool_call_id, output: content }];
  const calls = (tool_calls ?? []).map(({ id, function: called }) => ({ type: 'function_call', call_id: id, ...called }));
  return content === null ? calls : [{ type: 'message', role, content }, ...calls];
}

export function responsesBody(chatBody: Body, { store }: { readonly store: boolean }): Body {
  const requests = chatBody.requests.map((text) => {
    const { model, messages, tools, max_tokens, stream } = JSON.parse(text) as ChatRequest;
    return JSON.stringify({
      model, store, input: messages.flatMap(itemsOf), tools: tools?.map(({ function: described }) => ({ type: 'function', ...described })), max_output_tokens: max_tokens, stream,
    });
  });
  const name = `${chatBody.name} as responses`;
  const body = chatBody.numberAt === null ? constantBody(name, requests[0] ?? '') : numberedBody(name, requests);
  return { ...body, eventMark: RESPONSES_EVENT_MARK };
}

/** Hands out conversation numbers, each once. */
export class ConversationNumbers {
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** Begins with the current time in microseconds, so that no earlier run has used the same numbers. */
  static fromNow(): ConversationNumbers {
    return new ConversationNumbers(Date.now() * 1000);
  }

  take(): number {
    this.#next += 1;
    return this.#next - 1;
  }
}

export function digitsOf(conversation: number): string {
  return conversation.toString().padStart(NUMBER_DIGITS, '0');
}

export interface RequestBytes {
  /** The head, and the part of the body that is different in each request. */
  readonly beginning: Buffer;
  /** The rest of the body. Requests share it, because copying 1.5 MB would take half a millisecond. */
  readonly rest: Buffer;
}

export type NextRequest = () => RequestBytes;

/** A request with one head for each key, or with a single head without a key. */
interface PreparedRequest {
  readonly heads: readonly Buffer[];
  /** The body up to the end of the conversation number, or the whole body if it has none. */
  readonly beginning: Buffer;
  readonly rest: Buffer;
}

function headOf({ path, headers }: LoadTarget, key: string | null, bodyBytes: number): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${bodyBytes}`,
    ...(key === null ? [] : [`authorization: Bearer ${key}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

function prepare(target: LoadTarget, text: string): PreparedRequest {
  const { keys, body: { numberAt } } = target;
  const bytes = Buffer.from(text);
  const beginningBytes = numberAt === null ? bytes.length : numberAt + NUMBER_DIGITS;
  const heads = (keys.length === 0 ? [null] : keys).map((key) => headOf(target, key, bytes.length));
  return { heads, beginning: bytes.subarray(0, beginningBytes), rest: bytes.subarray(beginningBytes) };
}

function requestOf({ heads, beginning, rest }: PreparedRequest, numberAt: number | null, conversation: number): RequestBytes {
  const head = heads[conversation % heads.length];
  if (head === undefined) throw new Error('a prepared request must have a head for at least one key');
  const own = Buffer.concat([head, beginning]);
  if (numberAt !== null) own.write(digitsOf(conversation), head.length + numberAt, 'latin1');
  return { beginning: own, rest };
}

/**
 * Prepares the requests of a load. Call the result once for each connection; it returns a function that makes the connection's requests. A
 * conversation has one number and one key, and the next conversation has the next ones. Connections start at different requests of a conversation, so
 * that the mix does not depend on the duration.
 */
export function requestsOf(target: LoadTarget, numbers: ConversationNumbers): () => NextRequest {
  const { requests, numberAt } = target.body;
  const prepared = requests.map((text) => prepare(target, text));
  let connections = 0;
  return () => {
    let conversation: number | null = null;
    let position = connections % prepared.length;
    connections += 1;
    return () => {
      if (conversation === null || position === 0) conversation = numbers.take();
      const request = prepared[position];
      if (request === undefined) throw new Error('a body must have at least one request');
      position = (position + 1) % prepared.length;
      return requestOf(request, numberAt, conversation);
    };
  };
}
