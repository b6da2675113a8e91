import type { LoadTarget } from './load-messages.js';

function encode({ path, headers, body }: LoadTarget, key: string | null): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(key === null ? [] : [`authorization: Bearer ${key}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** The requests of a load in turn, as bytes prepared once for each key. */
export function requestsOf(target: LoadTarget): () => Buffer {
  const requests = target.keys.length === 0 ? [encode(target, null)] : target.keys.map((key) => encode(target, key));
  let next = 0;
  return () => {
    const request = requests[next % requests.length];
    next += 1;
    if (request === undefined) throw new Error('a load has at least one request');
    return request;
  };
}
