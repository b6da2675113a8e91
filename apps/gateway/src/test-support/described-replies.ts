import type { OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { type ErrorCode, invariant } from '@tollgate/core';
import { adminContract, type AdminRoute, codesOfAdmin, codesOfV1, contract, refusalOf, type RouteDefinition, type RouteParts, SLOW_BODY_STATUS, v1Contract } from '@tollgate/api-contract';
import { errorTable } from '@tollgate/wire-kit';
import { Ajv2020 } from 'ajv/dist/2020.js';

interface CheckedRoute {
  readonly method: string;
  readonly path: RegExp;
  readonly route: RouteParts & { readonly stream?: { readonly event: RouteParts['reply'] } };
  readonly status: number;
  /** `null` permits every code of the error table. */
  readonly codes: readonly ErrorCode[] | null;
}

function checked(prefix: string, route: RouteParts, terms: Pick<CheckedRoute, 'status' | 'codes'>): CheckedRoute {
  const path = prefix + route.path.replaceAll('.', '\\.').replaceAll('{model}', '.+').replaceAll(/\{\w+\}/g, '[^/]+');
  return { method: route.method.toUpperCase(), path: new RegExp(`^${path}$`), route, ...terms };
}

const ROUTES: readonly CheckedRoute[] = [
  ...Object.values(v1Contract).map((route) => checked('', route, { status: 200, codes: codesOfV1(route) })),
  ...Object.values(adminContract).map((route: AdminRoute) => checked('/admin/v1', route, { status: route.status ?? 200, codes: codesOfAdmin(route) })),
  ...Object.values(contract).map((route: RouteDefinition) => checked('/dashboard/api', route, { status: route.status ?? 200, codes: null })),
];

/** The matching path with the fewest parameters; `undefined` if that path has no such method. */
function routeOf(method: string, path: string): CheckedRoute | undefined {
  const matching = ROUTES.filter((each) => each.path.test(path)).toSorted((first, second) => parametersOf(first) - parametersOf(second));
  const [closest] = matching;
  return matching.find((each) => each.route.path === closest?.route.path && each.method === method);
}

function parametersOf({ route }: CheckedRoute): number {
  return route.path.split('{').length;
}

const ajv = new Ajv2020({ strict: false });
/** Refusals by the HTTP server itself, which have no code. */
const TRANSPORT_STATUSES: ReadonlySet<number> = new Set([408, 413, 431, 501]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface SentReply {
  readonly statusCode: number;
  /** The `Content-Type`; empty without one. */
  readonly type: string;
  readonly text: string;
}

type Writing = (...given: unknown[]) => unknown;

/** `null` if the contract describes the reply. */
function problemOf({ route, status: success, codes }: CheckedRoute, { statusCode, type, text }: SentReply): string | null {
  if (statusCode === 304 || statusCode === 303) return null;
  if (statusCode === success) {
    if (type.startsWith('text/event-stream')) return eventsProblem(route.stream?.event, text);
    if (!type.startsWith('application/json') || route.reply === undefined) return null;
    const { error } = route.reply.safeParse(parsed(text));
    return error === undefined ? null : error.message;
  }
  // A refused navigation is answered with a page.
  if (type.startsWith('text/html')) return null;
  const body = parsed(text) as { readonly error?: { readonly code?: ErrorCode } } | undefined;
  const code = body?.error?.code;
  if (code === undefined) return TRANSPORT_STATUSES.has(statusCode) || text === '' ? null : 'an error without a code';
  const { schema } = refusalOf(route);
  if (!ajv.validate(schema, body)) return `an error of another shape: ${ajv.errorsText()} in ${text.slice(0, 300)}`;
  if (codes !== null && !codes.includes(code)) return `the code ${code} is not described`;
  const isSlowBody = statusCode === SLOW_BODY_STATUS && route.body !== undefined;
  return isSlowBody || errorTable[code].status === statusCode ? null : `the status of ${code} is ${statusCode}`;
}

function eventsProblem(event: RouteParts['reply'], text: string): string | null {
  if (event === undefined) return null;
  for (const line of text.split('\n')) {
    if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
    const data = parsed(line.slice('data: '.length));
    // A stream that is cut off ends within an event; an error frame has the form of errors.
    if (data === undefined || (typeof data === 'object' && data !== null && 'error' in data && !('type' in data))) continue;
    const { error } = event.safeParse(data);
    if (error !== undefined) return `an event: ${error.message} in ${line.slice(0, 300)}`;
  }
  return null;
}

const found: string[] = [];

/** Throws if a reply since the last call does not match its route's contract. */
export function expectDescribed(): void {
  const undescribed = found.splice(0);
  invariant(undescribed.length === 0, `replies that no contract describes:\n${undescribed.slice(0, 5).join('\n')}`);
}

/** Compares every reply of a gateway with the contract of its route. */
export function checkingReplies(app: RequestListener): RequestListener {
  return (req, res) => {
    const path = (req.url ?? '').split('?')[0] ?? '';
    const route = routeOf(req.method ?? '', path);
    if (route !== undefined) recordReply(res, (reply) => {
      const problem = problemOf(route, reply);
      if (problem !== null) found.push(`${route.method} ${route.route.path}: ${problem}`);
    });
    app(req, res);
  };
}

/** Calls `done` once the whole reply is sent. Notes the headers that are given to `writeHead`, because `getHeaders` does not return them. */
function recordReply(res: ServerResponse, done: (reply: SentReply) => void): void {
  const chunks: Buffer[] = [];
  let sentHeaders: OutgoingHttpHeaders = {};
  const note = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? encoding as BufferEncoding : 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const [writeHead, write, end] = [res.writeHead.bind(res) as Writing, res.write.bind(res) as Writing, res.end.bind(res) as Writing];
  Object.assign(res, {
    writeHead: (...given: unknown[]) => {
      sentHeaders = { ...given.find((one) => typeof one === 'object') };
      return writeHead(...given);
    },
    write: (...given: unknown[]) => {
      note(given[0], given[1]);
      return write(...given);
    },
    end: (...given: unknown[]) => {
      note(given[0], given[1]);
      return end(...given);
    },
  });
  res.once('finish', () => done({
    statusCode: res.statusCode,
    type: String(sentHeaders['content-type'] ?? res.getHeader('content-type') ?? ''),
    text: Buffer.concat(chunks).toString(),
  }));
}
