import { GatewayError, type Instant, instant, operatorTextProblem, rfc3339, type Session } from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/dashboard-contract';
import type { RefusalReport } from '../../live/refusal-counts.js';

/** A place in a list as an opaque text. */
export function encodeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Numbers are places and times: whole ones. */
function isOfKind(part: unknown, kind: 'string' | 'number' | undefined): boolean {
  return kind === 'number' ? Number.isSafeInteger(part) : typeof part === kind;
}

/** `kinds` names the types of the parts, such as `['number', 'string']`. Throws `invalid_request` where the text is no such cursor. */
export function decodeCursor(text: string, kinds: readonly ('string' | 'number')[]): readonly (string | number)[] {
  const parts = partsIn(text);
  const isCursor = Array.isArray(parts) && parts.length === kinds.length && parts.every((part, position) => isOfKind(part, kinds[position]));
  if (!isCursor) throw new GatewayError('invalid_request', 'cursor: is no cursor of this list.', { param: 'cursor' });
  return parts as readonly (string | number)[];
}

function partsIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}

/** A reason or a message as it is stored. Throws `invalid_request` that names the field. */
export function operatorText(text: string | null, param: string): string | null {
  const problem = text === null ? null : operatorTextProblem(text);
  if (problem !== null) throw invalidField(param, problem);
  return text;
}

export function instantOf(text: string | null): Instant | null {
  return text === null ? null : instant(Date.parse(text));
}

export function invalidField(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param}: ${problem}.`, { param });
}

type EncodedSession = ReplyOf<typeof contract.currentSession>['session'];

/** A session as its person and operators see it; `current` is the session that asks. */
export function encodeSession(session: Session, current: Session): EncodedSession {
  return {
    id: session.id, object: 'session', is_current: session.id === current.id, signed_in_by: session.signedInBy, created_at: rfc3339(session.createdAt),
    last_used_at: rfc3339(session.lastUsedAt), address: session.address, user_agent: session.userAgent,
  };
}

/** What this gateway has counted of an account's refusals. */
export function encodeRefusals({ since, counts }: RefusalReport): ReplyOf<typeof contract.overview>['refusals'] {
  return { since: rfc3339(since), counts };
}
