/** What a request asks of the chaos upstream, and by which number both ends know it. */
export interface RequestScript {
  readonly number: number;
  /** Pieces of output. */
  readonly pieces: number;
  /** The piece after which the upstream sends nothing until its client leaves or the hold ends; `null` for no hold. */
  readonly holdsAfter: number | null;
}

/** One piece of output; nothing else in a reply contains it. */
export const PIECE = ' word';
const SCRIPT = /chaos (\d+) (\d+) (\d+|-)/;

/** A prompt that the upstream understands. */
export function promptOf({ number, pieces, holdsAfter }: RequestScript): string {
  return `chaos ${number} ${pieces} ${holdsAfter ?? '-'}`;
}

/** Finds the script in a request as it arrives at the upstream. */
export function scriptIn(body: string): RequestScript {
  const [, number, pieces, holdsAfter] = SCRIPT.exec(body) ?? [];
  if (number === undefined) throw new Error('a request without a script has come to the chaos upstream');
  return { number: Number(number), pieces: Number(pieces), holdsAfter: holdsAfter === '-' ? null : Number(holdsAfter) };
}
