import { type Agent, request } from 'node:http';
import { ServiceTokens } from '@tollgate/core';
import { CHAOS_MODEL } from '../catalogue/chaos-catalogue.js';
import { PIECE, promptOf, type RequestScript } from '../upstream/request-script.js';
import type { Reply } from './paid-by-receipts.js';

function occurrences(text: string): number {
  return text.split(PIECE).length - 1;
}

/** Pattern of output in the responses format, in which later events repeat the whole text. */
const DELTA = /"delta":"([^"]*)"/g;

function piecesIn(text: string, { format, streamed }: Demand): number {
  if (format !== 'responses' || !streamed) return occurrences(text);
  return [...text.matchAll(DELTA)].reduce((sum, [, delta = '']) => sum + occurrences(delta), 0);
}

export const FORMATS = ['chat', 'messages', 'responses'] as const;
type Format = (typeof FORMATS)[number];

/** A request, and when its client disconnects. */
export interface Demand {
  readonly url: string;
  readonly agent: Agent;
  readonly key: string;
  readonly format: Format;
  readonly streamed: boolean;
  readonly script: RequestScript;
  /** When the client disconnects: after a delay, or when it has all output that the upstream sends before its hold. `null`: only after 30 s. */
  readonly leaves: { readonly afterMilliseconds: number } | 'at-hold' | null;
  readonly idempotencyKey?: string;
}

export interface Receipt {
  readonly requestId: string;
  /** Stated charge, in service tokens. */
  readonly debited: string;
  /** True if the settlement is still queued; at most `debited` is booked later. */
  readonly isPending: boolean;
}

/** What a client knows of its request. */
export interface Outcome {
  readonly number: number;
  /** `null` if there was no reply. */
  readonly status: number | null;
  /** Number of received pieces of output. */
  readonly seen: number;
  /** True if the client disconnected during the upstream's hold. Then `seen` is exactly what was relayed. */
  readonly leftAtHold: boolean;
  readonly receipt: Receipt | null;
  readonly reply: Reply;
}

const PATHS: Readonly<Record<Format, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' };
const DEBITED = /"svc_tokens_debited":"([0-9.]+)"/;
const PENDING = '"svc_settlement":"pending"';
/** Finds the error code in the envelope of the chat and of the messages format. */
const ERROR_CODE = /"error":\{[^{}]*?"code":"(\w+)"/;
const EXCHANGE_MILLISECONDS = 30_000;

function bodyOf({ streamed, format, script }: Demand): string {
  const number = String(script.number);
  const prompt = promptOf(script);
  return JSON.stringify({
    model: CHAOS_MODEL, stream: streamed,
    ...(format === 'responses' ? { max_output_tokens: 64, input: prompt } : { max_tokens: 64, messages: [{ role: 'user', content: prompt }] }),
    ...(format === 'messages' ? { metadata: { user_id: number } } : { user: number }),
  });
}

function receiptIn(text: string, requestId: string): Receipt | null {
  const debited = DEBITED.exec(text)?.[1];
  return debited === undefined ? null : { requestId, debited, isPending: text.includes(PENDING) };
}

/** Sends a request. A failure is part of the outcome, so the promise never rejects. */
export function exchange(demand: Demand): Promise<Outcome> {
  const { script: { number, holdsAfter }, leaves } = demand;
  return new Promise((resolve) => {
    let status: number | null = null;
    let requestId = '';
    let text = '';
    let leftAtHold = false;
    let hasEnded = false;
    const finish = (): void => {
      clearTimeout(leaving);
      const receipt = receiptIn(text, requestId);
      const errorCode = ERROR_CODE.exec(text)?.[1] ?? null;
      const reply = {
        number, delivered: hasEnded && status === 200 && errorCode === null ? piecesIn(text, demand) : 0, isKeyed: demand.idempotencyKey !== undefined, requestId: requestId === '' ? null : requestId, status, errorCode,
        receipt: receipt === null ? null : { units: ServiceTokens.parse(receipt.debited).toUnits(), isPending: receipt.isPending },
      };
      resolve({ number, status, seen: piecesIn(text, demand), leftAtHold, receipt, reply });
    };
    const body = bodyOf(demand);
    const call = request(`${demand.url}${PATHS[demand.format]}`, {
      method: 'POST', agent: demand.agent, timeout: EXCHANGE_MILLISECONDS,
      headers: { 'authorization': `Bearer ${demand.key}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body),
        ...(demand.idempotencyKey === undefined ? {} : { 'idempotency-key': demand.idempotencyKey }),
      },
    }, (response) => {
      status = response.statusCode ?? null;
      requestId = String(response.headers['idempotent-request-id'] ?? response.headers['x-request-id']);
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (leaves !== 'at-hold' || leftAtHold || piecesIn(text, demand) < (holdsAfter ?? Infinity)) return;
        leftAtHold = true;
        call.destroy();
      }).on('error', () => undefined).once('end', () => void (hasEnded = true)).once('close', finish);
    });
    const stay = leaves === null || leaves === 'at-hold' ? EXCHANGE_MILLISECONDS : leaves.afterMilliseconds;
    const leaving = setTimeout(() => call.destroy(), stay);
    call.once('error', finish).end(body);
  });
}
