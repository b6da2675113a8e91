import { type JsonObject, outputTokensOf, promptTokensOf, type UsageRecord } from '@tollgate/core';
import { checkChatStream, checkMessagesStream } from '@tollgate/testkit';

/** What a request used and was charged, in whatever words its format says it. */
export interface Figures {
  readonly debited: string;
  readonly usd: string;
  readonly prompt: number;
  readonly cached: number;
  readonly output: number;
}

export interface ReadReply {
  readonly text: string;
  readonly model: string;
  readonly stop: string;
  readonly figures: Figures;
}

export interface ReadStream {
  readonly text: string;
  /** `null` when the stream ended in an error. */
  readonly figures: Figures | null;
  readonly fallbackUsed: boolean | null;
  readonly balance: string | null;
  readonly stop: string | null;
  readonly error: JsonObject | null;
}

/** One wire format, as its clients write and read it. */
export interface Format {
  readonly name: 'chat' | 'messages';
  readonly path: string;
  /** A request with one user message; 100 output tokens at most unless the fields say otherwise. */
  body(model: string, text: string, fields?: JsonObject): JsonObject;
  readWhole(body: JsonObject): ReadReply;
  /** Throws `GrammarBreach` when the stream is not sound from its first frame to its end. */
  readStream(stream: string): ReadStream;
  /** The text in those frames of a stream's beginning that are whole. */
  textIn(beginning: string): string;
}

type Shape = Readonly<Record<string, unknown>>;

function field(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Shape | null | undefined)?.[key], value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function receiptOf(usage: Shape): Pick<Figures, 'debited' | 'usd'> {
  return { debited: textOf(usage['svc_tokens_debited']), usd: textOf(usage['svc_cost_usd']) };
}

function chatFigures(usage: Shape): Figures {
  return {
    ...receiptOf(usage),
    prompt: Number(usage['prompt_tokens']),
    cached: Number(usage['prompt_cache_hit_tokens']),
    output: Number(usage['completion_tokens']),
  };
}

function messagesFigures(usage: Shape): Figures {
  const cached = Number(usage['cache_read_input_tokens']);
  return {
    ...receiptOf(usage),
    prompt: Number(usage['input_tokens']) + cached,
    cached,
    output: Number(usage['output_tokens']),
  };
}

function endOf(last: Shape | null): Pick<ReadStream, 'fallbackUsed' | 'balance'> {
  if (last === null) return { fallbackUsed: null, balance: null };
  return { fallbackUsed: last['svc_fallback_used'] === true, balance: textOf(last['svc_balance_tokens']) };
}

/** The pieces that `path` finds in the data of each whole frame. */
function piecesIn(beginning: string, ...path: readonly (string | number)[]): string {
  const frames = beginning.split('\n\n').slice(0, -1);
  const data = frames.map((frame) => /^data: (\{.*)$/m.exec(frame)?.[1]).filter((json) => json !== undefined);
  return data.map((json) => textOf(field(JSON.parse(json), ...path))).join('');
}

export const CHAT: Format = {
  name: 'chat',
  path: '/v1/chat/completions',
  body: (model, text, fields = {}) => ({ model, max_tokens: 100, messages: [{ role: 'user', content: text }], ...fields }),
  readWhole: (body) => ({
    text: textOf(field(body, 'choices', 0, 'message', 'content')),
    model: textOf(body['model']),
    stop: textOf(field(body, 'choices', 0, 'finish_reason')),
    figures: chatFigures(body['usage'] as Shape),
  }),
  readStream: (stream) => {
    const { text, last, finishReason, error } = checkChatStream(stream);
    const usage = last?.['usage'] as Shape | undefined;
    return { text, figures: usage === undefined ? null : chatFigures(usage), ...endOf(last), stop: finishReason, error: error as JsonObject | null };
  },
  textIn: (beginning) => piecesIn(beginning, 'choices', 0, 'delta', 'content'),
};

export const MESSAGES: Format = {
  name: 'messages',
  path: '/v1/messages',
  body: (model, text, fields = {}) => ({ model, max_tokens: 100, messages: [{ role: 'user', content: text }], ...fields }),
  readWhole: (body) => ({
    text: (body['content'] as Shape[]).map((block) => textOf(block['text'])).join(''),
    model: textOf(body['model']),
    stop: textOf(body['stop_reason']),
    figures: messagesFigures(body['usage'] as Shape),
  }),
  readStream: (stream) => {
    const { blocks, usage, stopReason, error } = checkMessagesStream(stream);
    const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
    // An open block is in no list of whole ones; an error frame may come before its stop.
    const read = error === null ? text : MESSAGES.textIn(stream);
    return { text: read, figures: usage === null ? null : messagesFigures(usage), ...endOf(usage), stop: stopReason, error: error as JsonObject | null };
  },
  textIn: (beginning) => piecesIn(beginning, 'delta', 'text'),
};

export const FORMATS: readonly Format[] = [CHAT, MESSAGES];

export const DELIVERIES = ['whole', 'stream'] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** The same figures as a usage record keeps them. */
export function figuresOf({ charge, usage }: UsageRecord): Figures {
  return {
    debited: charge.amount.toString(),
    usd: charge.usd.toString(),
    prompt: promptTokensOf(usage),
    cached: usage.cachedPromptTokens,
    output: outputTokensOf(usage),
  };
}
