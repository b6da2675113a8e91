import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { UrlWebhookTargets } from '@tollgate/adapters-node';
import { type Clock, MILLISECONDS_PER_SECOND, type Webhook, type WebhookAttempt } from '@tollgate/core';
import { checkedLookup, type ResolveName } from './checked-lookup.js';
import type { WebhookMessage } from './webhook-message.js';

/** Time limit, from resolving the host name to the end of the answer. */
export const ANSWER_MILLISECONDS = 15 * MILLISECONDS_PER_SECOND;
/** Bytes of an answer that are read; the rest is discarded. */
const MAX_ANSWER_BYTES = 65_536;
/** Bytes of the answer that are stored. */
const MAX_KEPT_BYTES = 1_024;
/** Maximum number of concurrent requests to one webhook. */
export const REQUESTS_AT_ONCE = 4;

interface WebhookSenderParts {
  readonly targets: UrlWebhookTargets;
  /** Resolves the host names of owners' webhooks. */
  readonly resolve: ResolveName;
  readonly clock: Clock;
  /** Certificates that are trusted besides the usual ones. */
  readonly ca?: string;
}

/** `null` if the request was aborted. */
export type SendMessage = (message: WebhookMessage, signal: AbortSignal) => Promise<WebhookAttempt | null>;

interface Answer {
  readonly status: number;
  readonly answer: string | null;
}

/** Why an attempt got no answer, by the error's code. Contains no details of networks. */
const FAILURES: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'the name resolves to an address that is not public', ENOTFOUND: 'the name could not be resolved', ENODATA: 'the name could not be resolved',
  ESERVFAIL: 'the name could not be resolved', ETIMEOUT: 'the name could not be resolved in time', EAI_AGAIN: 'the name could not be resolved',
  ECONNREFUSED: 'the connection was refused', ECONNRESET: 'the connection was closed before an answer', CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted', SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted', ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

function failureOf(thrown: unknown): string {
  const { code = '' } = thrown as { readonly code?: string };
  return FAILURES[code] ?? (code === '' ? 'no answer' : `no answer (${code})`);
}

function failureOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `answered ${status}; redirects are not followed` : `answered ${status}`;
}

/** Resolves at the end of the body, or once `MAX_ANSWER_BYTES` are read. Rejects if the connection breaks earlier. */
async function readAnswer(res: IncomingMessage): Promise<string | null> {
  const kept: Buffer[] = [];
  let [bytes, keptBytes] = [0, 0];
  for await (const chunk of res as AsyncIterable<Buffer>) {
    if (keptBytes < MAX_KEPT_BYTES) kept.push(chunk.subarray(0, MAX_KEPT_BYTES - keptBytes));
    keptBytes += chunk.length;
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return bytes === 0 ? null : Buffer.concat(kept).toString('utf8');
}

function answerTo(req: ClientRequest, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    req.once('error', reject);
    req.once('response', (res) => {
      readAnswer(res).then((answer) => resolve({ status: res.statusCode ?? 0, answer }), reject);
    });
    req.end(body);
  });
}

/** Posts signed messages. Redirects are not followed. */
export class WebhookSender {
  constructor(private readonly parts: WebhookSenderParts) {}

  /** Opens connections to one webhook, which are kept until `close`. */
  open({ url: text, owner }: Pick<Webhook, 'url' | 'owner'>): { readonly send: SendMessage; close(): void } {
    const { targets, resolve, ca } = this.parts;
    const url = new URL(text);
    const lookup = owner === null ? {} : { lookup: checkedLookup(resolve, (address) => targets.permits(address)) };
    const options = { keepAlive: true, maxSockets: REQUESTS_AT_ONCE, ...lookup };
    const isEncrypted = url.protocol === 'https:';
    const agent = isEncrypted ? new HttpsAgent({ ...options, ...(ca === undefined ? {} : { ca }) }) : new HttpAgent(options);
    const request = ({ headers, body }: WebhookMessage): ClientRequest => (isEncrypted ? requestHttps : requestHttp)(url, {
      agent, method: 'POST', headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, ...lookup,
    });
    // Checked again, because the settings may have changed since the webhook was created, and a host that is an address is never looked up.
    const problem = targets.problemOf(text, owner);
    return {
      send: (message, signal) => (problem === null ? this.attempt(request(message), message.body, signal) : Promise.resolve(this.refused(`url: ${problem}`))),
      close: () => agent.destroy(),
    };
  }

  private refused(failure: string): WebhookAttempt {
    return { at: this.parts.clock.now(), milliseconds: 0, status: null, answer: null, failure };
  }

  private async attempt(req: ClientRequest, body: string, signal: AbortSignal): Promise<WebhookAttempt | null> {
    const { clock } = this.parts;
    const begun = clock.now();
    let isLate = false;
    const cancel = clock.schedule(ANSWER_MILLISECONDS, () => {
      isLate = true;
      req.destroy();
    });
    const abort = (): void => void req.destroy();
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    const result = await answerTo(req, body).then(({ status, answer }) => ({ status, answer, failure: failureOfStatus(status) }), (thrown: unknown) => ({ status: null, answer: null, failure: failureOf(thrown) }));
    cancel();
    signal.removeEventListener('abort', abort);
    if (signal.aborted && result.failure !== null) return null;
    const at = clock.now();
    return { at, milliseconds: at - begun, ...(isLate ? { status: null, answer: null, failure: `no complete answer within ${ANSWER_MILLISECONDS / MILLISECONDS_PER_SECOND} seconds` } : result) };
  }
}
