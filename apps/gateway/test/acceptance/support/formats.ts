import { type ErrorCode, type JsonObject, outputTokensOf, promptTokensOf, type UsageRecord } from '@tollgate/core';
import { checkChatStream, checkMessagesStream, checkResponsesStream } from '@tollgate/testkit';
import { isLongWait, typeOf } from '@tollgate/wire-kit';

/** Usage and charge in any format. */
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
  /** `null` if the stream ended in an error. */
  readonly figures: Figures | null;
  readonly fallbackUsed: boolean | null;
  readonly balance: string | null;
  readonly stop: string | null;
  readonly error: JsonObject | null;
}

export interface Format {
  readonly name: 'chat' | 'messages' | 'responses';
  readonly path: string;
  /** Name of the field that limits the output. */
  readonly outputField: string;
  /** Name of the field with the conversation. */
  readonly promptField: string;
  readonly firstFrame: string;
  /** Top-level `type` of an error body; `undefined` if the format has none. */
  readonly envelopeType: 'error' | undefined;
  /** True if errors have the property `param`. */
  readonly namesFields: boolean;
  /** Counts the keep-alives of a stream. */
  readonly keepAlives: (stream: string) => number;
  readonly errorType: (code: ErrorCode) => string;
  /** A request with one user message. Its output limit, 100 tokens unless `fields` sets `max_tokens`, has the format's own name. */
  body(model: string, text: string, fields?: JsonObject): JsonObject;
  readWhole(body: JsonObject): ReadReply;
  /** Throws `GrammarBreach` if the stream is invalid. */
  readonly readStream: (stream: string) => ReadStream;
  /** The output text in the complete frames of an unfinished stream. */
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

function responsesFigures(usage: Shape): Figures {
  return {
    ...receiptOf(usage), prompt: Number(usage['input_tokens']), cached: Number(field(usage, 'input_tokens_details', 'cached_tokens')), output: Number(usage['output_tokens']),
  };
}

function textInItems(items: unknown): string {
  const messages = (items as readonly Shape[]).filter(({ type }) => type === 'message');
  return messages.flatMap(({ content }) => (content as readonly Shape[]).map(({ text }) => textOf(text))).join('');
}

/** Reason of an incomplete response, or `completed`. */
function stopOfResponse(response: Shape): string {
  return textOf(field(response, 'incomplete_details', 'reason') ?? response['status']);
}

function occurrences(part: string, text: string): number {
  return text.split(part).length - 1;
}

/** JSON of the complete frames. */
function dataIn(beginning: string): readonly Shape[] {
  const frames = beginning.split('\n\n').slice(0, -1);
  const data = frames.map((frame) => /^data: (\{.*)$/m.exec(frame)?.[1]).filter((json) => json !== undefined);
  return data.map((json) => JSON.parse(json) as Shape);
}

/** Joins the texts at `path` of all complete frames. */
function piecesIn(beginning: string, ...path: readonly (string | number)[]): string {
  return dataIn(beginning).map((data) => textOf(field(data, ...path))).join('');
}

export const CHAT: Format = {
  name: 'chat',
  path: '/v1/chat/completions',
  outputField: 'max_tokens',
  promptField: 'messages',
  firstFrame: '"role":"assistant"',
  envelopeType: undefined,
  namesFields: true,
  keepAlives: (stream) => occurrences('\n: keep-alive\n', stream),
  errorType: typeOf,
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
  outputField: 'max_tokens',
  promptField: 'messages',
  firstFrame: 'event: message_start',
  envelopeType: 'error',
  namesFields: false,
  keepAlives: (stream) => occurrences('event: ping', stream),
  errorType: typeOf,
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
    // A failed stream may lack the stop event of a block, so its text is read from the frames.
    const read = error === null ? text : MESSAGES.textIn(stream);
    return { text: read, figures: usage === null ? null : messagesFigures(usage), ...endOf(usage), stop: stopReason, error: error as JsonObject | null };
  },
  textIn: (beginning) => piecesIn(beginning, 'delta', 'text'),
};

export const RESPONSES: Format = {
  name: 'responses',
  path: '/v1/responses',
  outputField: 'max_output_tokens',
  promptField: 'input',
  firstFrame: 'event: response.created',
  envelopeType: undefined,
  namesFields: true,
  // Every stream has this event once; any further one is a keep-alive.
  keepAlives: (stream) => Math.max(0, occurrences('event: response.in_progress', stream) - 1),
  errorType: (code) => (isLongWait(code) ? 'usage_limit_reached' : typeOf(code)),
  body: (model, text, fields = {}) => {
    const { max_tokens: maximum, ...others }: JsonObject = { max_tokens: 100, ...fields };
    return { model, ...(maximum === undefined ? {} : { max_output_tokens: maximum }), input: [{ role: 'user', content: text }], ...others };
  },
  readWhole: (body) => ({
    text: textInItems(body['output']),
    model: textOf(body['model']),
    stop: stopOfResponse(body),
    figures: responsesFigures(body['usage'] as Shape),
  }),
  readStream: (stream) => {
    const { response, usage, error } = checkResponsesStream(stream);
    const text = error === null ? textInItems(response['output']) : RESPONSES.textIn(stream);
    // The usage of a failed stream states the charge of the delivered part.
    const figures = usage === null || error !== null ? null : responsesFigures(usage);
    return { text, figures, ...endOf(usage), stop: error === null ? stopOfResponse(response) : null, error: error as JsonObject | null };
  },
  textIn: (beginning) => dataIn(beginning).map(({ type, delta }) => (type === 'response.output_text.delta' ? textOf(delta) : '')).join(''),
};

export const FORMATS: readonly Format[] = [CHAT, MESSAGES, RESPONSES];

export const COUNTING_PATHS = ['/v1/messages/count_tokens', '/v1/responses/input_tokens'] as const;

/** One body for all formats: each ignores the fields that only others have. */
export function bodyOfEveryFormat(text: string, maximum: number): JsonObject {
  return { max_tokens: maximum, max_output_tokens: maximum, messages: [{ role: 'user', content: text }], input: text };
}

export const DELIVERIES = ['whole', 'stream'] as const;
export type Delivery = (typeof DELIVERIES)[number];

export function figuresOf({ charge, usage }: UsageRecord): Figures {
  return {
    debited: charge.amount.toString(),
    usd: charge.usd.toString(),
    prompt: promptTokensOf(usage),
    cached: usage.cachedPromptTokens,
    output: outputTokensOf(usage),
  };
}
