import { type Demand, GrammarBreach } from './event-grammar.js';

/** One frame of a stream as a gateway writes it. A comment has no data. */
export interface SseFrame {
  readonly number: number;
  readonly text: string;
  readonly event: string | null;
  readonly data: string | null;
}

const FRAME_END = '\n\n';
const FRAME = /^(?:: [^\r\n]*|(?:event: (?<event>[a-z_]+)\n)?data: (?<data>[^\r\n]+))$/;

/** Splits a whole stream into frames of the strict form: a comment, or one optional event line and one data line. */
export function sseFramesOf(stream: string): readonly SseFrame[] {
  const texts = stream.split(FRAME_END);
  const rest = texts.pop() ?? '';
  if (rest !== '') throw new GrammarBreach(texts.length, 'the stream is cut inside a frame', rest);
  return texts.map((text, number) => {
    const parts = FRAME.exec(text);
    if (parts === null) throw new GrammarBreach(number, 'not a frame', text);
    return { number, text, event: parts.groups?.['event'] ?? null, data: parts.groups?.['data'] ?? null };
  });
}

export type Shape = Readonly<Record<string, unknown>>;

const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

export function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A data line's JSON, which must be an object. */
export function parseShape(json: string, demand: Demand): Shape {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (thrown) {
    demand(false, `its data is no JSON (${String(thrown)})`);
  }
  demand(isShape(value), 'its data must be an object');
  return value;
}

export function demandKeys(shape: Shape, keys: readonly string[], demand: Demand): void {
  const found = Object.keys(shape);
  demand(found.length === keys.length && keys.every((key) => key in shape), `must have exactly the keys ${keys.join(', ')}, not ${found.join(', ')}`);
}

export function demandCounts(shape: Shape, names: readonly string[], demand: Demand): void {
  for (const name of names) demand(Number.isSafeInteger(shape[name]) && Number(shape[name]) >= 0, `${name} must be a count`);
}

/** The service's own fields at the end of a stream: plain decimal strings and one boolean. */
export const RECEIPT_FIELDS = ['svc_tokens_debited', 'svc_cost_usd', 'svc_balance_tokens', 'svc_fallback_used'] as const;

export function demandReceipt(shape: Shape, demand: Demand): void {
  for (const name of RECEIPT_FIELDS) {
    const value = shape[name];
    if (name === 'svc_fallback_used') demand(typeof value === 'boolean', `${name} must be true or false`);
    else demand(typeof value === 'string' && DECIMAL.test(value), `${name} must be a plain decimal string`);
  }
}

/** What an error says, in either format. */
export function demandError(error: unknown, demand: Demand): asserts error is Shape {
  demand(isShape(error), 'an error must be an object');
  for (const name of ['message', 'type', 'code', 'request_id']) {
    demand(typeof error[name] === 'string' && error[name] !== '', `the error must have a ${name}`);
  }
}
