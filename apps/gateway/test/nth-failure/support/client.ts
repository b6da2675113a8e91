import { untilItHolds } from './until-it-holds.js';

/** What a client saw of a reply. */
export interface SeenReply {
  /** `null` when it left before there was one. */
  readonly status: number | null;
  /** Of the reply's text, as much as came. */
  readonly characters: number;
  /** What the reply itself says was debited; `null` when it does not. */
  readonly debited: string | null;
  /** Whether it says that it was given before. */
  readonly isReplayed: boolean;
}

export interface Sending {
  readonly url: string;
  readonly key: string;
  readonly idempotencyKey: string | null;
  readonly prompt: string;
  readonly delivery: 'stream' | 'whole';
  readonly client: 'stays' | 'leaves';
  /** Whether an upstream works for the request. */
  readonly isServed: () => boolean;
}

const NOTHING: SeenReply = { status: null, characters: 0, debited: null, isReplayed: false };

/** The characters of a chat stream's or reply's content; the scripts of these tests write nothing but `x` and `y`. */
function charactersOf(text: string): number {
  const contents = text.matchAll(/"content":"([xy]+)"/g);
  return [...contents].reduce((sum, [, content]) => sum + (content?.length ?? 0), 0);
}

function seenOf(status: number, headers: Headers, text: string): SeenReply {
  const debited = headers.get('x-svc-tokens-debited') ?? /"svc_tokens_debited":"([^"]+)"/.exec(text)?.[1] ?? null;
  return { status, characters: charactersOf(text), debited, isReplayed: headers.has('idempotent-replayed') };
}

/** Reads until the end, or until the first output for one who leaves then. */
async function readAll(reply: Response, onOutput: () => void): Promise<SeenReply> {
  const decoder = new TextDecoder();
  let text = '';
  const take = (chunk: Uint8Array): void => {
    text += decoder.decode(chunk, { stream: true });
    if (charactersOf(text) > 0) onOutput();
  };
  // A client that disconnects sees a broken reply; what it has received by then counts.
  await Promise.allSettled([reply.body?.pipeTo(new WritableStream({ write: take }))]);
  return seenOf(reply.status, reply.headers, text);
}

/** Sends one chat request. Resolves with what its client saw, whichever of the two ended it. */
export async function send({ url, key, idempotencyKey, prompt, delivery, client, isServed }: Sending): Promise<SeenReply> {
  const leaving = new AbortController();
  let isOver = false;
  const replied = fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      'authorization': `Bearer ${key}`, 'content-type': 'application/json', ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ model: 'flooding', stream: delivery === 'stream', messages: [{ role: 'user', content: prompt }] }),
  }).finally(() => {
    isOver = true;
  });
  if (client === 'leaves' && delivery === 'whole') void untilItHolds(() => isOver || isServed()).then(() => leaving.abort());
  const reply = await replied.catch(() => null);
  if (reply === null) return NOTHING;
  return readAll(reply, client === 'leaves' ? () => leaving.abort() : () => undefined);
}
