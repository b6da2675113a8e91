import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceTokens } from '@tollgate/core';
import type { SeededRandom } from '@tollgate/testkit/programs';
import type { Reply } from './customers/paid-by-receipts.js';

/** What a request asks of the chaos upstream, and by which number both ends know it. */
export interface RequestScript {
  readonly number: number;
  /** Pieces of output. */
  readonly pieces: number;
  /** The piece after which the upstream sends nothing until its client leaves or the hold ends; `null` for no hold. */
  readonly holdsAfter: number | null;
}

/** One piece of output; nothing else in a reply contains it. */
export const PIECE = ' word';
const SCRIPT = /chaos (\d+) (\d+) (\d+|-)/;

/** A prompt that the upstream understands. */
function promptOf({ number, pieces, holdsAfter }: RequestScript): string {
  return `chaos ${number} ${pieces} ${holdsAfter ?? '-'}`;
}

/** Finds the script in a request as it arrives at the upstream. */
export function scriptIn(body: string): RequestScript {
  const [, number, pieces, holdsAfter] = SCRIPT.exec(body) ?? [];
  if (number === undefined) throw new Error('a request without a script has come to the chaos upstream');
  return { number: Number(number), pieces: Number(pieces), holdsAfter: holdsAfter === '-' ? null : Number(holdsAfter) };
}

function occurrences(text: string): number {
  return text.split(PIECE).length - 1;
}

/** The piece of output in an event of the responses format, whose later events repeat all of it. */
const DELTA = /"delta":"([^"]*)"/g;

/** How many pieces of output are in what a client has received. */
function piecesIn(text: string, { format, streamed }: Demand): number {
  if (format !== 'responses' || !streamed) return occurrences(text);
  return [...text.matchAll(DELTA)].reduce((sum, [, delta = '']) => sum + occurrences(delta), 0);
}

export const FORMATS = ['chat', 'messages', 'responses'] as const;
type Format = (typeof FORMATS)[number];

/** What one client sends, and how long it stays. */
interface Demand {
  readonly url: string;
  readonly agent: Agent;
  readonly key: string;
  readonly format: Format;
  readonly streamed: boolean;
  readonly script: RequestScript;
  /** Hangs up so long after it has asked, or once it has all that comes before the upstream holds; `null` to stay to the end. */
  readonly leaves: { readonly afterMilliseconds: number } | 'at-hold' | null;
  readonly idempotencyKey?: string;
}

/** What a client was told that it was charged. */
export interface Receipt {
  readonly requestId: string;
  /** Service tokens, in decimals. */
  readonly debited: string;
  /** The settlement is queued: at most this is booked, later. */
  readonly isPending: boolean;
}

/** What a client knows of its request when it is over. */
export interface Outcome {
  readonly number: number;
  /** `null` when no reply came. */
  readonly status: number | null;
  /** Pieces of output that reached it. */
  readonly seen: number;
  /** It hung up while the upstream was holding, and so had seen all there was to see. */
  readonly leftAtHold: boolean;
  readonly receipt: Receipt | null;
  /** For the comparison of receipts with what was paid. */
  readonly reply: Reply;
}

const PATHS: Readonly<Record<Format, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' };
const DEBITED = /"svc_tokens_debited":"([0-9.]+)"/;
const PENDING = '"svc_settlement":"pending"';
/** The code in an error body or frame: of the chat formats, and of messages, whose envelope names it last. */
const ERROR_CODE = /"error":\{[^{}]*?"code":"(\w+)"/;
const EXCHANGE_MILLISECONDS = 30_000;
/** The name that every request of the chaos run is for. */
export const CHAOS_MODEL = 'chaos';

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

/** Sends one request. Never rejects: a gateway that dies is what this is about. */
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

interface LoadOptions {
  /** Gateways that serve at the moment; each request goes to one of them by chance. */
  readonly urls: () => readonly string[];
  /** The keys that requests take by chance. */
  readonly keys: readonly string[];
  readonly clients: number;
  readonly random: SeededRandom;
  /** A number that no request of the run has yet. */
  readonly nextNumber: () => number;
  /** Told of every request when it is over, and when it was sent, on the clock that `performance.now` reads. */
  readonly onOutcome: (outcome: Outcome, sentAt: number) => void;
}

const LEAVING_SHARE = 0.2;
const LEAVING_AT_HOLD_SHARE = 0.1;
const LONGEST_STAY_MILLISECONDS = 120;
const FEWEST_PIECES = 6;
const MOST_PIECES = 30;
const LONGEST_THOUGHT_MILLISECONDS = 40;
const AFTER_FAILURE_MILLISECONDS = 10;

/** Clients that ask again and again, in every format, streamed and whole; some hang up. */
export class Load {
  #stopped = false;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #clients: Promise<unknown>;

  constructor(private readonly options: LoadOptions) {
    this.#clients = Promise.all(Array.from({ length: options.clients }, () => this.client()));
  }

  /** Lets every client end its request, for better or worse. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#clients;
    this.#agent.destroy();
  }

  private async client(): Promise<void> {
    const { urls, random, onOutcome } = this.options;
    while (!this.#stopped) {
      const serving = urls();
      const url = serving[random.between(0, serving.length - 1)];
      const sentAt = performance.now();
      const outcome = url === undefined ? null : await exchange(this.demandTo(url));
      if (outcome !== null) onOutcome(outcome, sentAt);
      await pause(outcome?.status === 200 ? random.between(0, LONGEST_THOUGHT_MILLISECONDS) : AFTER_FAILURE_MILLISECONDS);
    }
  }

  private demandTo(url: string): Demand {
    const { keys, random, nextNumber } = this.options;
    const format = FORMATS[random.between(0, FORMATS.length - 1)] ?? 'chat';
    const common = { url, agent: this.#agent, key: keys[random.between(0, keys.length - 1)] ?? '', format };
    const pieces = random.between(FEWEST_PIECES, MOST_PIECES);
    const number = nextNumber();
    if (random.happens(LEAVING_AT_HOLD_SHARE)) {
      return { ...common, streamed: true, script: { number, pieces, holdsAfter: random.between(1, pieces - 1) }, leaves: 'at-hold' };
    }
    const leaves = random.happens(LEAVING_SHARE) ? { afterMilliseconds: random.between(0, LONGEST_STAY_MILLISECONDS) } : null;
    return { ...common, streamed: random.happens(0.6), script: { number, pieces, holdsAfter: null }, leaves };
  }
}
