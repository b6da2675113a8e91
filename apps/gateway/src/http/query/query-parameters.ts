import { GatewayError } from '@tollgate/core';
import type { Exchange } from '../exchange.js';

/** The longest value of a query parameter that is looked at. */
const VALUE_MAXIMUM_CHARACTERS = 1024;

/** A query parameter that cannot be used; `what` completes the sentence "… must be …". */
export function invalidParameter(name: string, what: string): GatewayError {
  return new GatewayError('invalid_request', `The query parameter ${name} must be ${what}.`, { param: name });
}

/** The query of a request. Parameters nobody asks for are ignored, like unknown fields of a body. */
export class QueryParameters {
  private constructor(private readonly values: URLSearchParams) {}

  static of({ req }: Exchange): QueryParameters {
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
