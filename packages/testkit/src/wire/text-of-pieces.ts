import type { JsonPieces } from '@tollgate/core';

/** What the pieces say together. */
export function textOfPieces({ pieces }: JsonPieces): string {
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString();
}
