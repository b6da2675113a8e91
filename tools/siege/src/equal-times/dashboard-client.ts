import { Agent, request } from 'node:http';

/** What a browser at the dashboard is answered. */
export interface DashboardAnswer {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const NANOSECONDS_PER_MILLISECOND = 1_000_000;

/** The address of the nth client of a test network (RFC 2544), as a proxy names it. */
export function clientAddress(number: number): string {
  return `198.18.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`;
}

/** Headers that a page of the dashboard sends through a proxy. */
export function pageHeaders(port: number, address: string): Readonly<Record<string, string>> {
  return { 'host': `localhost:${port}`, 'origin': `http://localhost:${port}`, 'content-type': 'application/json', 'x-forwarded-for': address };
}

/** Posts to a route of the dashboard over one connection, and takes the time until the answer is complete. */
export function post(port: number, path: string, { address, body }: { readonly address: string; readonly body: object }): Promise<DashboardAnswer> {
  const text = JSON.stringify(body);
  const startedAt = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const headers = { ...pageHeaders(port, address), 'content-length': String(Buffer.byteLength(text)) };
    const req = request({ agent, host: '127.0.0.1', port, method: 'POST', path: `/dashboard/api${path}`, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject).on('end', () => resolve({
        status: res.statusCode ?? 0,
        text: Buffer.concat(chunks).toString().replaceAll(/"req_[^"]+"/g, '"req_…"'),
        milliseconds: Number(process.hrtime.bigint() - startedAt) / NANOSECONDS_PER_MILLISECOND,
      }));
    });
    req.on('error', reject).end(text);
  });
}
