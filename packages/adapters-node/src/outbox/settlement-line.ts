import { createHash } from 'node:crypto';
import type { SettleCommand } from '@tollgate/core';

/** Enough to tell a line that was written to its end from one that was not. */
const CHECK_DIGITS = 16;

function checkOf(json: string): string {
  return createHash('sha256').update(json).digest('hex').slice(0, CHECK_DIGITS);
}

/** A settlement as a line of its own. It begins with the line end, so that it is whole also behind one that was cut off. */
export function encodeSettlement(command: SettleCommand): string {
  // An ending holds texts, numbers, booleans and null only, so JSON gives back what it was given.
  const json = JSON.stringify(command);
  return `\n${checkOf(json)} ${json}`;
}

/** `null` for a line that was cut off or damaged. */
export function decodeSettlement(line: string): SettleCommand | null {
  const json = line.slice(CHECK_DIGITS + 1);
  return line.slice(0, CHECK_DIGITS) === checkOf(json) ? JSON.parse(json) as SettleCommand : null;
}
