import { type AccountId, GatewayError } from '@tollgate/core';

export function encodeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Numbers must be integers. No stored text has U+0000, which some databases refuse. */
function isOfKind(part: unknown, kind: 'string' | 'number' | undefined): boolean {
  if (kind === 'number') return Number.isSafeInteger(part);
  return kind === 'string' && typeof part === 'string' && !part.includes('\0');
}

/** `kinds` are the types of the parts, such as `['number', 'string']`. Throws `invalid_request`. */
export function decodeCursor(text: string, kinds: readonly ('string' | 'number')[]): readonly (string | number)[] {
  const parts = partsIn(text);
  const isCursor = Array.isArray(parts) && parts.length === kinds.length && parts.every((part, position) => isOfKind(part, kinds[position]));
  if (!isCursor) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  return parts as readonly (string | number)[];
}

/** True if the text has the form of an account's id. */
export function isAccountId(text: string): text is AccountId {
  return /^acct_[A-Za-z0-9_-]{1,64}$/.test(text);
}

function partsIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}
