import { untilItHolds } from './until-it-holds.js';

export interface SeenReply {
  /** `null` if the connection broke before the headers. */
  readonly status: number | null;
  /** Number of output characters that the client received. */
  readonly characters: number;
  /** Charge that the receipt states; `null` without a receipt. */
  readonly debited: string | null;
  readonly isReplayed: boolean;
}

export type Format = 'chat' | 'responses';

export interface Sending {
  readonly url: string;
  readonly format: Format;
  readonly key: string;
  readonly idempotencyKey: string | null;
  readonly prompt: string;
  readonly delivery: 'stream' | 'whole';
  readonly client: 'stays' | 'leaves';
  /** True while an upstream generates for the request. */
  readonly isServed: () => boolean;
}

const NOTHING: SeenReply = { status: null, characters: 0, debited: null, isReplayed: false };

/** Patterns of the output; scripts write only `x` and `y`. */
const OUTPUT: Readonly<Record<Format, Readonly<Record<'stream' | 'whole', RegExp>>>> = {
  chat: { stream: /"content":"([xy]+)"/g, whole: /"content":"([xy]+)"/g },
  responses: { stream: /"delta":"([xy]+)"/g, whole: /"text":"([xy]+)"/g },
};

function charactersOf(text: string, { format, delivery }: Pick<Sending, 'format' | 'delivery'>): number {
  return [...text.matchAll(OUTPUT[format][delivery])].reduce((sum, [, output]) => sum + (output?.length ?? 0), 0);
}

function bodyOf({ format, prompt, delivery }: Sending): object {
  const body = { model: 'flooding', stream: delivery === 'stream' };
  return format === 'chat' ? { ...body, messages: [{ role: 'user', content: prompt }] } : { ...body, input: prompt };
}

/** Reads the reply to its end; a client that leaves reads only up to the first output. */
async function readAll(reply: Response, sending: Sending, onOutput: () => void): Promise<SeenReply> {
  const decoder = new TextDecoder();
  let text = '';
  const take = (chunk: Uint8Array): void => {
    text += decoder.decode(chunk, { stream: true });
    if (charactersOf(text, sending) > 0) onOutput();
  };
  // A broken reply is no error here; the part that was received is returned.
  await Promise.allSettled([reply.body?.pipeTo(new WritableStream({ write: take }))]);
  const { status, headers } = reply;
  const debited = headers.get('x-svc-tokens-debited') ?? /"svc_tokens_debited":"([^"]+)"/.exec(text)?.[1] ?? null;
  return { status, characters: charactersOf(text, sending), debited, isReplayed: headers.has('idempotent-replayed') };
}

/** Sends the request; resolves with all that the client received. */
export async function send(sending: Sending): Promise<SeenReply> {
  const { url, format, key, idempotencyKey, delivery, client, isServed } = sending;
  const leaving = new AbortController();
  let isOver = false;
  const replied = fetch(`${url}/v1/${format === 'chat' ? 'chat/completions' : 'responses'}`, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      'authorization': `Bearer ${key}`, 'content-type': 'application/json', ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(bodyOf(sending)),
  }).finally(() => {
    isOver = true;
  });
  if (client === 'leaves' && delivery === 'whole') void untilItHolds(() => isOver || isServed()).then(() => leaving.abort());
  const reply = await replied.catch(() => null);
  if (reply === null) return NOTHING;
  return readAll(reply, sending, client === 'leaves' ? () => leaving.abort() : () => undefined);
}
