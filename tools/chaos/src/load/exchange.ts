import { type Agent, request } from 'node:http';
import { piecesIn, promptOf, type RequestScript } from './request-script.js';

/** What one client sends, and how long it stays. */
export interface Demand {
  readonly url: string;
  readonly agent: Agent;
  readonly key: string;
  readonly format: 'chat' | 'messages';
  readonly streamed: boolean;
  readonly script: RequestScript;
  /** Hangs up so long after it has asked, or once it has all that comes before the upstream holds; `null` to stay to the end. */
  readonly leaves: { readonly afterMilliseconds: number } | 'at-hold' | null;
}

/** What a client was told that it was charged. */
export interface Receipt {
  readonly requestId: string;
  /** Service tokens, in decimals. */
  readonly debited: string;
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
}

const PATHS = { chat: '/v1/chat/completions', messages: '/v1/messages' } as const;
const DEBITED = /"svc_tokens_debited":"([0-9.]+)"/;
const EXCHANGE_MILLISECONDS = 30_000;
/** The name that every request of the chaos run is for. */
export const CHAOS_MODEL = 'chaos';

function bodyOf({ streamed, format, script }: Demand): string {
  const number = String(script.number);
  return JSON.stringify({
    model: CHAOS_MODEL, max_tokens: 64, stream: streamed, messages: [{ role: 'user', content: promptOf(script) }],
    ...(format === 'chat' ? { user: number } : { metadata: { user_id: number } }),
  });
}

/** Sends one request. Never rejects: a gateway that dies is what this is about. */
export function exchange(demand: Demand): Promise<Outcome> {
  const { script: { number, holdsAfter }, leaves } = demand;
  return new Promise((resolve) => {
    let status: number | null = null;
    let requestId = '';
    let text = '';
    let leftAtHold = false;
    const finish = (): void => {
      clearTimeout(leaving);
      const debited = DEBITED.exec(text)?.[1];
      resolve({ number, status, seen: piecesIn(text), leftAtHold, receipt: debited === undefined ? null : { requestId, debited } });
    };
    const body = bodyOf(demand);
    const call = request(`${demand.url}${PATHS[demand.format]}`, {
      method: 'POST', agent: demand.agent, timeout: EXCHANGE_MILLISECONDS,
      headers: { 'authorization': `Bearer ${demand.key}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    }, (response) => {
      status = response.statusCode ?? null;
      requestId = String(response.headers['x-request-id']);
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (leaves !== 'at-hold' || leftAtHold || piecesIn(text) < (holdsAfter ?? Infinity)) return;
        leftAtHold = true;
        call.destroy();
      }).on('error', () => undefined).once('close', finish);
    });
    const stay = leaves === null || leaves === 'at-hold' ? EXCHANGE_MILLISECONDS : leaves.afterMilliseconds;
    const leaving = setTimeout(() => call.destroy(), stay);
    call.once('error', finish).end(body);
  });
}
