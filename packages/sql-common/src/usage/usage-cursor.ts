import { createHash } from 'node:crypto';
import { ALL_ACCOUNTS, type UsageScope } from '@tollgate/core';

/** The last record that was examined for a page. */
export interface UsagePosition {
  readonly endedAt: bigint;
  readonly seq: bigint;
}

const CURSOR_PATTERN = /^(\d{1,16})\.(\d{1,18})\.([0-9a-f]{16})$/;
const CHECK_LENGTH = 16;

/** Detects a cursor of another scope. It is not a secret: with a forged cursor, a caller still reads only records of its own scope. */
function checkOf(scope: UsageScope, position: string): string {
  return createHash('sha256').update(`${scope === ALL_ACCOUNTS ? '' : scope}\n${position}`).digest('hex').slice(0, CHECK_LENGTH);
}

export function encodeUsageCursor(scope: UsageScope, { endedAt, seq }: UsagePosition): string {
  const position = `${endedAt}.${seq}`;
  return Buffer.from(`${position}.${checkOf(scope, position)}`, 'latin1').toString('base64url');
}

/** Returns `null` if the text is not a cursor of this scope. */
export function decodeUsageCursor(scope: UsageScope, cursor: string): UsagePosition | null {
  const match = CURSOR_PATTERN.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, endedAt, seq, check] = match ?? [];
  if (endedAt === undefined || seq === undefined || check !== checkOf(scope, `${endedAt}.${seq}`)) return null;
  return { endedAt: BigInt(endedAt), seq: BigInt(seq) };
}
