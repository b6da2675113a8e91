/** How the chaos upstream replies to a request; `number` identifies the request at the client and at the upstream. */
export interface RequestScript {
  readonly number: number;
  /** Number of pieces of output. */
  readonly pieces: number;
  /** Number of pieces after which the upstream pauses until its client disconnects or the hold ends; `null` for no pause. */
  readonly holdsAfter: number | null;
}

/** A piece of output; the text occurs nowhere else in a reply. */
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
