import type { JsonObject } from '@tollgate/core';
import { CHAT, DELIVERIES, type Delivery, type Format, FORMATS } from '../../acceptance/support/formats.js';

export interface Outcome {
  readonly format: Format['name'];
  readonly delivery: Delivery;
  /** `null` if the connection broke before the headers. */
  readonly status: number | null;
  /** Error code; `null` without an error. */
  readonly code: string | null;
  /** Top-level `type` of an error in the messages format; `null` in the others. */
  readonly envelope: string | null;
  readonly retryAfter: string | null;
  readonly requestId: string;
  /** Output that the client received. */
  readonly text: string;
  /** Charge that the receipt states, in service tokens; `null` without a receipt. */
  readonly debited: string | null;
  readonly milliseconds: number;
}

export interface Asking {
  readonly url: string;
  readonly key: string;
  readonly model: string;
  /** Number of the request; it determines format and delivery. */
  readonly number: number;
}

interface ErrorBody {
  readonly type?: string;
  readonly error: { readonly code: string };
}

type Reading = Pick<Outcome, 'code' | 'envelope' | 'text' | 'debited'>;

const NOTHING: Reading = { code: null, envelope: null, text: '', debited: null };

/** Number of combinations of format and delivery; as many consecutive numbers select each once. */
export const WAYS = FORMATS.length * DELIVERIES.length;

export function formatOf(number: number): Format {
  return FORMATS[number % FORMATS.length] ?? CHAT;
}

export function deliveryOf(number: number): Delivery {
  return Math.floor(number / FORMATS.length) % 2 === 0 ? 'whole' : 'stream';
}

function codeOf({ code }: JsonObject): string {
  return typeof code === 'string' ? code : '';
}

function readingOf(format: Format, delivery: Delivery, { status, body }: { readonly status: number; readonly body: string }): Reading {
  if (status !== 200) {
    const { type, error } = JSON.parse(body) as ErrorBody;
    return { ...NOTHING, code: error.code, envelope: type ?? null };
  }
  if (delivery === 'whole') {
    const { text, figures } = format.readWhole(JSON.parse(body));
    return { ...NOTHING, text, debited: figures.debited };
  }
  const { text, figures, error } = format.readStream(body);
  return { ...NOTHING, text, debited: figures?.debited ?? null, code: error === null ? null : codeOf(error) };
}

/** Sends a request, and reads the reply to its end. Rejects if the reply is invalid. */
export async function ask({ url, key, model, number }: Asking): Promise<Outcome> {
  const [format, delivery] = [formatOf(number), deliveryOf(number)];
  const began = performance.now();
  const reply = await fetch(`${url}${format.path}`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(format.body(model, 'Hi', { stream: delivery === 'stream' })),
  });
  const { status, headers } = reply;
  const reading = readingOf(format, delivery, { status, body: await reply.text() });
  return {
    format: format.name, delivery, status, ...reading, retryAfter: headers.get('retry-after'), requestId: headers.get('x-request-id') ?? '',
    milliseconds: performance.now() - began,
  };
}
