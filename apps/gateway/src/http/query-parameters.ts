import { type PageSize, GatewayError, type Instant, instant, invariant, MILLISECONDS_PER_SECOND, parseRfc3339, parseUtcDay } from '@tollgate/core';
import type { HttpExchange } from './http-exchange.js';

/** The longest value of a query parameter. */
const MAX_VALUE_CHARACTERS = 1024;

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
