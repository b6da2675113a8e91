import type { IncomingMessage } from 'node:http';
import { GatewayError, type Instant, instant, invariant, MILLISECONDS_PER_SECOND, parseRfc3339, parseUtcDay, type StoringFormat, type TokenCountFormat, type WireFormat } from '@tollgate/core';
import type { HttpExchange } from './http-exchange.js';

/** The formats that the gateway offers, each with what it can do beside generating. */
export interface OfferedFormats {
  readonly chat: WireFormat;
  readonly messages: WireFormat & TokenCountFormat;
  readonly responses: WireFormat & TokenCountFormat & StoringFormat;
}

const MESSAGES_PATH = '/v1/messages';
const CHAT_PATH = '/v1/chat';
const RESPONSES_PATH = '/v1/responses';
const DASHBOARD_PATH = '/dashboard';
const PLAYGROUND_MESSAGES_PATH = '/dashboard/api/playground/messages';
const PLAYGROUND_RESPONSES_PATH = '/dashboard/api/playground/responses';

function isUnder(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}

/** What clients that take a server for a proxy put before the path. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/** Path and query of a request target, below this server whatever the target names; `/` for one that has no path. */
export function ownTarget(target: string): string {
  const own = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  return own.startsWith('/') ? own : '/';
}

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const url = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/**
 * Whose envelope errors have: that of the format a path belongs to.
 * On paths of all formats, the version header that only clients of the messages format send decides.
 */
export function errorFormatOf(req: IncomingMessage, formats: OfferedFormats): WireFormat {
  // Routes are found whatever the case of their letters.
  const path = pathOf(req.url ?? '/').toLowerCase();
  if (isUnder(path, MESSAGES_PATH) || isUnder(path, PLAYGROUND_MESSAGES_PATH)) return formats.messages;
  if (isUnder(path, RESPONSES_PATH) || isUnder(path, PLAYGROUND_RESPONSES_PATH)) return formats.responses;
  if (isUnder(path, CHAT_PATH) || isUnder(path, DASHBOARD_PATH)) return formats.chat;
  return req.headers['anthropic-version'] === undefined ? formats.chat : formats.messages;
}

interface Unoffered {
  /** The path, and everything below it; `*` is any segment. */
  readonly path: string;
  readonly message: string;
}

const GENERATE = 'POST /v1/chat/completions, POST /v1/messages or POST /v1/responses';

/** Addresses of other services that clients try, with what to use instead. Of two that match, the longer one stands first. */
const UNOFFERED: readonly Unoffered[] = [
  { path: '/v1/chat/completions/chat/completions', message: 'This address names its endpoint twice: the client\'s base URL must end in /v1.' },
  {
    path: '/v1/chat/completions/*',
    message: 'Stored chat completions are not offered. POST /v1/responses stores its responses for a limited time.',
  },
  { path: '/v1/v1', message: 'This address contains /v1 twice: the client adds /v1 by itself, so leave it out of its base URL.' },
  { path: '/v1/messages/batches', message: 'Message batches are not offered. Send each request by itself to POST /v1/messages.' },
  { path: '/v1/batches', message: `Batches are not offered. Send each request by itself to ${GENERATE}.` },
  {
    path: '/v1/responses/compact',
    message: 'Compaction is not offered. Ask a model for a summary with POST /v1/responses, and continue with it.',
  },
  {
    path: '/v1/responses/*/cancel',
    message: 'Cancelling is not offered, because no response runs in the background. To stop a response, close its connection.',
  },
  { path: '/v1/completions', message: 'Text completions are not offered. Use POST /v1/chat/completions.' },
  { path: '/v1/complete', message: 'Text completions are not offered. Use POST /v1/messages.' },
  { path: '/v1/embeddings', message: 'Embeddings are not offered: all models here generate text.' },
  { path: '/v1/moderations', message: 'Moderations are not offered: all models here generate text.' },
  { path: '/v1/rerank', message: 'Reranking is not offered: all models here generate text.' },
  { path: '/v1/images', message: 'Images are not offered: all models here generate text.' },
  { path: '/v1/audio', message: 'Audio is not offered: all models here generate text.' },
  { path: '/v1/files', message: `Files are not offered. Send texts and images in the messages of ${GENERATE}.` },
  { path: '/v1/uploads', message: `Uploads are not offered. Send texts and images in the messages of ${GENERATE}.` },
  { path: '/v1/assistants', message: `Assistants are not offered. Use ${GENERATE} with tools.` },
  { path: '/v1/threads', message: `Threads are not offered. Send the whole conversation to ${GENERATE}.` },
  { path: '/v1/conversations', message: `Conversations are not offered. Send the whole conversation to ${GENERATE}.` },
  { path: '/v1/agents', message: `Agents are not offered. Use ${GENERATE} with tools.` },
  { path: '/v1/sessions', message: `Sessions are not offered. Send the whole conversation to ${GENERATE}.` },
  { path: '/v1/containers', message: 'Containers are not offered: the client runs all tools.' },
  { path: '/v1/skills', message: 'Skills are not offered: the client runs all tools.' },
  { path: '/v1/videos', message: 'Videos are not offered: all models here generate text.' },
  { path: '/v1/evals', message: 'Evals are not offered.' },
  { path: '/v1/vector_stores', message: 'Vector stores are not offered.' },
  { path: '/v1/fine_tuning', message: 'Fine-tuning is not offered.' },
  { path: '/v1/realtime', message: `Realtime sessions are not offered. Use ${GENERATE} with stream: true.` },
  { path: '/chat/completions', message: 'The client\'s base URL must end in /v1: the endpoint is POST /v1/chat/completions.' },
  { path: '/messages', message: 'The version is missing: the endpoint is POST /v1/messages.' },
  { path: '/models', message: 'The version is missing: the endpoint is GET /v1/models.' },
  { path: '/responses', message: 'The version is missing: the endpoint is POST /v1/responses.' },
  { path: '/completions', message: 'The version is missing, and text completions are not offered. Use POST /v1/chat/completions.' },
  { path: '/embeddings', message: 'Embeddings are not offered: all models here generate text.' },
  { path: '/api', message: `Ollama's own API is not offered. Use ${GENERATE}, and GET /v1/models for the models.` },
];

const NOTHING_HERE = 'There is nothing at this address.';

function isAtOrBelow(path: string, root: string): boolean {
  if (!root.includes('*')) return isUnder(path, root);
  const segments = path.split('/', root.split('/').length);
  return root.split('/').every((segment, position) => segment === segments[position] || (segment === '*' && (segments[position] ?? '') !== ''));
}

/** What to use instead of an address where another service has something; `null` for other addresses. */
function alternativeTo(target: string): string | null {
  const path = pathOf(target).toLowerCase();
  return UNOFFERED.find((unoffered) => isAtOrBelow(path, unoffered.path))?.message ?? null;
}

/** The refusal of a method that an address does not answer, unless it is that of a service which is not offered: `/v1/responses/compact` looks like an id. */
export function unofferedMethod(target: string, allowed: string): GatewayError {
  const alternative = alternativeTo(target);
  return alternative === null ? new GatewayError('method_not_allowed', `This address accepts only ${allowed}.`) : new GatewayError('not_found', alternative);
}

/** The refusal of an address that no endpoint answers: where another service has something there, its message says what to use instead. */
export function unofferedPath(target: string): GatewayError {
  return new GatewayError('not_found', alternativeTo(target) ?? NOTHING_HERE);
}

/** The longest value of a query parameter. */
const VALUE_MAXIMUM_CHARACTERS = 1024;

/** A query parameter that cannot be used; `what` completes the sentence "… must be …". */
export function invalidParameter(name: string, what: string): GatewayError {
  return new GatewayError('invalid_request', `The query parameter ${name} must be ${what}.`, { param: name });
}

/** The query of a request. Unknown parameters are ignored, like unknown fields of a body. */
export class QueryParameters {
  private constructor(private readonly values: URLSearchParams) {}

  static of({ req }: HttpExchange): QueryParameters {
    const start = req.url.indexOf('?');
    return new QueryParameters(new URLSearchParams(start === -1 ? '' : req.url.slice(start + 1)));
  }

  /** Of a query that has been read already, each name once. */
  static from(values: Readonly<Record<string, string | number | undefined>>): QueryParameters {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined) given.set(name, String(value));
    }
    return new QueryParameters(given);
  }

  /** `null` when it is absent or empty. Refuses a parameter given twice, since either value could be meant. */
  text(name: string): string | null {
    const [value = '', ...others] = this.values.getAll(name);
    if (others.length > 0) throw invalidParameter(name, 'given once');
    if (value.length > VALUE_MAXIMUM_CHARACTERS) throw invalidParameter(name, `at most ${VALUE_MAXIMUM_CHARACTERS} characters long`);
    return value === '' ? null : value;
  }

  wholeNumber(name: string, range: { readonly least: number; readonly most: number; readonly fallback: number }): number {
    const text = this.text(name);
    if (text === null) return range.fallback;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= range.least && value <= range.most) return value;
    throw invalidParameter(name, `a whole number from ${range.least} to ${range.most}`);
  }

  oneOf<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    return this.oneOfOrNone(name, choices) ?? fallback;
  }

  /** `null` when it is absent or empty. */
  oneOfOrNone<T extends string>(name: string, choices: readonly T[]): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) throw invalidParameter(name, `one of ${choices.join(', ')}`);
    return chosen;
  }
}

const UNIX_SECONDS_PATTERN = /^\d{1,11}$/;

/** Reads Unix seconds, RFC 3339, or a UTC day as its first instant; `null` when the text is none of them. */
export function parseInstant(text: string): Instant | null {
  if (UNIX_SECONDS_PATTERN.test(text)) return instant(Number(text) * MILLISECONDS_PER_SECOND);
  // In a query, an unescaped "+" of an offset arrives as a space.
  return parseUtcDay(text) ?? parseRfc3339(text.replace(' ', '+'));
}

/** A point in time given by the client; `null` when absent. */
function instantParameter(query: QueryParameters, name: string): Instant | null {
  const text = query.text(name);
  if (text === null) return null;
  const at = parseInstant(text);
  if (at === null) throw invalidParameter(name, 'Unix seconds, an RFC 3339 time or a day such as 2026-11-21');
  return at;
}

export interface Period {
  /** Included. */
  readonly from: Instant | null;
  /** Not included. */
  readonly to: Instant | null;
}

/** `start` and `end`; the end is not included and comes after the start. */
export function periodParameter(query: QueryParameters): Period {
  const from = instantParameter(query, 'start');
  const to = instantParameter(query, 'end');
  if (from !== null && to !== null && to <= from) throw invalidParameter('end', 'later than start');
  return { from, to };
}

/** A parameter of the path an endpoint was found by, decoded; the segments of a wildcard are joined again. */
export function pathParameter({ req }: HttpExchange, name: string): string {
  const value = req.params[name];
  invariant(value !== undefined, `the path of the endpoint has the parameter ${name}`);
  return typeof value === 'string' ? value : value.join('/');
}
