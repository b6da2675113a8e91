import { type Brand, type FieldProblem, refuseField } from '@tollgate/core';

/** A valid, normalized password. Must not be logged or stored. */
export type Password = Brand<string, 'Password'>;

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;
/** In UTF-16 code units; longer input is rejected unread. */
const MAX_READ = 1024;

export type PasswordRefusal = 'too-short' | 'too-long';

export type ReadPassword =
  | { readonly outcome: 'read'; readonly password: Password }
  | { readonly outcome: PasswordRefusal };

/** Normalizes to NFKC, because keyboards compose characters differently. Bounds are in characters. */
export function readPassword(typed: string): ReadPassword {
  if (typed.length > MAX_READ) return { outcome: 'too-long' };
  const password = typed.normalize('NFKC');
  const length = Array.from(password).length;
  if (length < MIN_PASSWORD_LENGTH) return { outcome: 'too-short' };
  if (length > MAX_PASSWORD_LENGTH) return { outcome: 'too-long' };
  return { outcome: 'read', password: password as Password };
}

const REFUSALS: Readonly<Record<PasswordRefusal, readonly [message: string, problem: FieldProblem]>> = {
  'too-short': [`must have at least ${MIN_PASSWORD_LENGTH} characters`, { code: 'too_short', minimum: MIN_PASSWORD_LENGTH }],
  'too-long': [`must have at most ${MAX_PASSWORD_LENGTH} characters`, { code: 'too_long', maximum: MAX_PASSWORD_LENGTH }],
};

/** Throws `invalid_request` that names the field. */
export function requirePassword(typed: string, param: string): Password {
  const read = readPassword(typed);
  if (read.outcome === 'read') return read.password;
  throw refuseField(param, ...REFUSALS[read.outcome]);
}
