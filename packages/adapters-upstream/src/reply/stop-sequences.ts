/** One sequence and how much of it the text read so far ends with, as in Knuth, Morris and Pratt. */
class SequenceMatch {
  matched = 0;
  /** For each length of a matched beginning, the next shorter beginning that the text also ends with. */
  readonly #fallbacks: readonly number[];

  constructor(readonly sequence: string) {
    this.#fallbacks = fallbacksOf(sequence);
  }

  /** Whether this character completes the sequence. */
  read(character: number): boolean {
    while (this.matched > 0 && this.sequence.charCodeAt(this.matched) !== character) this.matched = this.#fallbacks[this.matched - 1] ?? 0;
    if (this.sequence.charCodeAt(this.matched) === character) this.matched += 1;
    return this.matched === this.sequence.length;
  }
}

function fallbacksOf(sequence: string): readonly number[] {
  const fallbacks = [0];
  let length = 0;
  for (let position = 1; position < sequence.length; position += 1) {
    const character = sequence.charCodeAt(position);
    while (length > 0 && sequence.charCodeAt(length) !== character) length = fallbacks[length - 1] ?? 0;
    if (sequence.charCodeAt(length) === character) length += 1;
    fallbacks.push(length);
  }
  return fallbacks;
}

export interface CutText {
  /** Text that surely comes before any stop sequence. */
  readonly text: string;
  readonly stopped: boolean;
}

/**
 * Ends a text exactly before the first stop sequence, wherever its pieces begin and end.
 * Holds back only what may still turn out to be the beginning of a sequence. Linear in the text.
 */
export class StopSequenceCutter {
  readonly #matches: readonly SequenceMatch[];
  /** Pieces, or ends of pieces, that are held back. */
  #held: string[] = [];
  #heldLength = 0;

  constructor(sequences: readonly string[]) {
    this.#matches = sequences.filter((sequence) => sequence !== '').map((sequence) => new SequenceMatch(sequence));
  }

  push(piece: string): CutText {
    const heldBefore = this.#heldLength;
    this.#held.push(piece);
    this.#heldLength += piece.length;
    for (let position = 0; position < piece.length; position += 1) {
      const completed = this.#read(piece.charCodeAt(position));
      if (completed > 0) return { text: this.#take(heldBefore + position + 1 - completed), stopped: true };
    }
    let undecided = 0;
    for (const { matched } of this.#matches) undecided = Math.max(undecided, matched);
    return { text: this.#take(this.#heldLength - undecided), stopped: false };
  }

  /** What was held back, once it is known that nothing follows it. */
  flush(): string {
    for (const match of this.#matches) match.matched = 0;
    return this.#take(this.#heldLength);
  }

  /** The length of the longest sequence that this character completes; 0 when it completes none. */
  #read(character: number): number {
    let longest = 0;
    for (const match of this.#matches) {
      if (match.read(character)) longest = Math.max(longest, match.sequence.length);
    }
    return longest;
  }

  /** Takes that many characters from the front of what is held. */
  #take(length: number): string {
    if (length === this.#heldLength) {
      const all = this.#held.join('');
      this.#held = [];
      this.#heldLength = 0;
      return all;
    }
    const taken: string[] = [];
    let position = 0;
    let left = length;
    for (; left >= (this.#held[position]?.length ?? Infinity); position += 1) {
      taken.push(this.#held[position] ?? '');
      left -= this.#held[position]?.length ?? 0;
    }
    const split = this.#held[position] ?? '';
    this.#held = [split.slice(left), ...this.#held.slice(position + 1)];
    this.#heldLength -= length;
    return taken.join('') + split.slice(0, left);
  }
}

/** Passes text on up to the first stop sequence that the server was not told of. */
export class GuardedText {
  readonly #cutter: StopSequenceCutter | null;

  constructor(sequences: readonly string[], private readonly write: (text: string) => void) {
    this.#cutter = sequences.length === 0 ? null : new StopSequenceCutter(sequences);
  }

  /** Whether the text may go on, or has met a stop sequence and is over. */
  push(text: string): 'goes-on' | 'stopped' {
    if (this.#cutter === null) {
      this.write(text);
      return 'goes-on';
    }
    const cut = this.#cutter.push(text);
    this.write(cut.text);
    return cut.stopped ? 'stopped' : 'goes-on';
  }

  /** Passes on what was held back, since something else follows it. */
  flush(): void {
    if (this.#cutter !== null) this.write(this.#cutter.flush());
  }
}
