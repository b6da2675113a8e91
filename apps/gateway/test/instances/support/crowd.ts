import { Agent, type IncomingMessage, request } from 'node:http';
import type { JsonObject } from '@tollgate/core';

export interface CrowdRequest {
  readonly url: string;
  readonly key: string;
  /** JSON of a POST; without it, the request is a GET. */
  readonly body?: JsonObject;
}

export interface CrowdReply {
  readonly status: number;
  readonly body: string;
}

/** Concurrent clients with kept-alive connections. Close it after the test. */
export class Crowd {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity });

  ask({ url, key, body }: CrowdRequest): Promise<CrowdReply> {
    const text = body === undefined ? null : JSON.stringify(body);
    const sent = text === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const asking = request(url, { method: text === null ? 'GET' : 'POST', agent: this.#agent, headers: { 'x-api-key': key, ...sent } });
      asking.on('response', (incoming) => void read(incoming).then(resolve, reject));
      asking.on('error', reject);
      asking.end(text ?? undefined);
    });
  }

  /** Error code of a reply; `null` without an error. */
  static codeOf({ body }: CrowdReply): string | null {
    if (!body.startsWith('{')) return null;
    const { error } = JSON.parse(body) as { readonly error?: { readonly code?: string; readonly type?: string } };
    return error?.code ?? error?.type ?? null;
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function read(incoming: IncomingMessage): Promise<CrowdReply> {
  incoming.setEncoding('utf8');
  let body = '';
  for await (const piece of incoming) body += String(piece);
  return { status: incoming.statusCode ?? 0, body };
}
