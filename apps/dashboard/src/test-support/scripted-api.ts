type Answer = (body: unknown, signal: AbortSignal | null, query: URLSearchParams) => Response | Promise<Response>;

export interface SentRequest {
  /** For example `POST /dashboard/api/keys`. */
  readonly route: string;
  readonly body: unknown;
}

export function json(body: object, status = 200): Response {
  return Response.json(body, { status });
}

/** Answers the requests of pages in place of the gateway; unknown routes are not found. */
export class ScriptedApi {
  readonly #answers = new Map<string, Answer>();
  readonly sent: SentRequest[] = [];

  /** `route` without its query. */
  on(route: string, answer: Answer): this {
    this.#answers.set(route, answer);
    return this;
  }

  readonly fetch = async (address: string | URL | Request, { method = 'GET', body, signal = null }: RequestInit = {}): Promise<Response> => {
    const { pathname, searchParams } = new URL(address instanceof Request ? address.url : address, 'http://localhost');
    const route = `${method} ${pathname}`;
    const read = typeof body === 'string' ? JSON.parse(body) as unknown : null;
    this.sent.push({ route, body: read });
    return this.#answers.get(route)?.(read, signal, searchParams) ?? json({ error: { code: 'not_found', message: `Nothing is scripted for ${route}.` } }, 404);
  };
}
