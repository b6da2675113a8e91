import { type Agent, request } from 'node:http';

/** What one client sends, and how long it stays. */
export interface Demand {
  readonly url: string;
  readonly agent: Agent;
  readonly key: string;
  readonly format: 'chat' | 'messages';
  readonly streamed: boolean;
  /** Hangs up so long after it has asked; `null` to stay to the end. */
  readonly leavesAfterMilliseconds: number | null;
}

/** What a client was told that it was charged. */
export interface Receipt {
  readonly requestId: string;
  /** Service tokens, in decimals. */
  readonly debited: string;
}

export interface Outcome {
  /** `null` when no reply came. */
  readonly status: number | null;
  readonly receipt: Receipt | null;
}

const PATHS = { chat: '/v1/chat/completions', messages: '/v1/messages' } as const;
const DEBITED = /"svc_tokens_debited":"([0-9.]+)"/;
const EXCHANGE_MILLISECONDS = 20_000;
/** The name that every request of the chaos run is for. */
export const CHAOS_MODEL = 'chaos';

function bodyOf({ streamed }: Demand): string {
  return JSON.stringify({ model: CHAOS_MODEL, max_tokens: 64, stream: streamed, messages: [{ role: 'user', content: 'Tell me something short.' }] });
}

/** Sends one request. Never rejects: a gateway that dies is what this is about. */
export function exchange(demand: Demand): Promise<Outcome> {
  return new Promise((resolve) => {
    let status: number | null = null;
    let requestId = '';
    let text = '';
    const finish = (): void => {
      clearTimeout(leaving);
      const debited = DEBITED.exec(text)?.[1];
      resolve({ status, receipt: debited === undefined ? null : { requestId, debited } });
    };
    const body = bodyOf(demand);
    const call = request(`${demand.url}${PATHS[demand.format]}`, {
      method: 'POST', agent: demand.agent, timeout: EXCHANGE_MILLISECONDS,
      headers: { 'authorization': `Bearer ${demand.key}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    }, (response) => {
      status = response.statusCode ?? null;
      requestId = String(response.headers['x-request-id']);
      response.setEncoding('utf8').on('data', (piece: string) => void (text += piece)).on('error', () => undefined).once('close', finish);
    });
    const leaving = setTimeout(() => call.destroy(), demand.leavesAfterMilliseconds ?? EXCHANGE_MILLISECONDS);
    call.once('error', finish).end(body);
  });
}
