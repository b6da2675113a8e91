import { type PageSize, GatewayError, type Instant, instant, invariant, MILLISECONDS_PER_SECOND, parseRfc3339, parseUtcDay } from '@tollgate/core';
import type { HttpExchange } from './http-exchange.js';

const MAX_VALUE_CHARACTERS = 1024;

/** Error for a query parameter; `what` completes "… must be …". */
export function invalidParameter(name: string, what: string): GatewayError {
  return new GatewayError('invalid_request', `The query parameter ${name} must be ${what}.`, { param: name });
}

/** Parameters of a query. Unknown ones are ignored. */
export class QueryParameters {
  private constructor(private readonly values: URLSearchParams) {}

  static of({ req }: HttpExchange): QueryParameters {
    const start = req.url.indexOf('?');
    return new QueryParameters(new URLSearchParams(start === -1 ? '' : req.url.slice(start + 1)));
  }

  /** Parameters of a query that is already validated. */
  static from(values: Readonly<Record<string, string | number | undefined>>): QueryParameters {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined) given.set(name, String(value));
    }
    return new QueryParameters(given);
  }

  /** `null` if absent or empty. Throws for a repeated parameter, and for a value of more than 1,024 characters. */
  text(name: string): string | null {
    const [value = '', ...others] = this.values.getAll(name);
    if (others.length > 0) throw invalidParameter(name, 'given once');
    if (value.length > MAX_VALUE_CHARACTERS) throw invalidParameter(name, `at most ${MAX_VALUE_CHARACTERS} characters long`);
    return value === '' ? null : value;
  }

  pageSize(name: string, size: PageSize): number {
    const text = this.text(name);
    if (text === null) return size.usual;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= 1 && value <= size.most) return value;
    throw invalidParameter(name, `a whole number from 1 to ${size.most}`);
  }

  oneOf<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    return this.oneOfOrNone(name, choices) ?? fallback;
  }

  /** `null` if absent or empty. */
  oneOfOrNone<T extends string>(name: string, choices: readonly T[]): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) throw invalidParameter(name, `one of ${choices.join(', ')}`);
    return chosen;
  }
}

const UNIX_SECONDS_PATTERN = /^\d{1,11}$/;

/** Unix seconds, RFC 3339, or a UTC day; `null` if invalid. */
export function parseInstant(text: string): Instant | null {
  if (UNIX_SECONDS_PATTERN.test(text)) return instant(Number(text) * MILLISECONDS_PER_SECOND);
  // In a query, an unescaped "+" of an offset arrives as a space.
  return parseUtcDay(text) ?? parseRfc3339(text.replace(' ', '+'));
}

/** `null` if absent. */
function instantParameter(query: QueryParameters, name: string): Instant | null {
  const text = query.text(name);
  if (text === null) return null;
  const at = parseInstant(text);
  if (at === null) throw invalidParameter(name, 'Unix seconds, an RFC 3339 time or a day such as 2026-11-21');
  return at;
}

export interface Period {
  /** Start, inclusive. */
  readonly from: Instant | null;
  /** End, exclusive. */
  readonly to: Instant | null;
}

/** Reads `start` and `end`; `end` is exclusive and must be after `start`. */
export function periodParameter(query: QueryParameters): Period {
  const from = instantParameter(query, 'start');
  const to = instantParameter(query, 'end');
  if (from !== null && to !== null && to <= from) throw invalidParameter('end', 'later than start');
  return { from, to };
}

/** The parameter of a path, decoded; the segments of a wildcard are joined. */
export function pathParameter({ req }: HttpExchange, name: string): string {
  const value = req.params[name];
  invariant(value !== undefined, `the path of the endpoint has the parameter ${name}`);
  return typeof value === 'string' ? value : value.join('/');
}
