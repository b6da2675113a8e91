/** What a request tells the chaos upstream, and its number on both ends. */
export interface RequestScript {
  readonly number: number;
  /** Pieces of output. */
  readonly pieces: number;
  /** The piece after which the upstream pauses until its client disconnects or the hold ends; `null` for none. */
  readonly holdsAfter: number | null;
}

/** Occurs nowhere else in a reply. */
export const PIECE = ' word';
const SCRIPT = /chaos (\d+) (\d+) (\d+|-)/;

export function promptOf({ number, pieces, holdsAfter }: RequestScript): string {
  return `chaos ${number} ${pieces} ${holdsAfter ?? '-'}`;
}

export function scriptIn(body: string): RequestScript {
  const [, number, pieces, holdsAfter] = SCRIPT.exec(body) ?? [];
  if (number === undefined) throw new Error('the chaos upstream received a request without a script');
  return { number: Number(number), pieces: Number(pieces), holdsAfter: holdsAfter === '-' ? null : Number(holdsAfter) };
}
