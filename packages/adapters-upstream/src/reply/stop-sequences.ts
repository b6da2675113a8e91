import { TextQueue } from './text-queue.js';

/** Knuth-Morris-Pratt state of one sequence. */
class SequenceMatch {
  matched = 0;
  /** The failure function of the algorithm. */
  readonly #fallbacks: readonly number[];

  constructor(readonly sequence: string) {
    this.#fallbacks = fallbacksOf(sequence);
  }

  /** True if the character completes the sequence. */
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
  /** Text that is certainly before any stop sequence. */
  readonly text: string;
  readonly stopped: boolean;
}

/** Cuts a text at the first stop sequence, even if that is split over pieces. Holds only a possible beginning of one. Takes linear time. */
export class StopSequenceCutter {
  readonly #matches: readonly SequenceMatch[];
  readonly #held = new TextQueue();

  constructor(sequences: readonly string[]) {
    this.#matches = sequences.filter((sequence) => sequence !== '').map((sequence) => new SequenceMatch(sequence));
  }

  push(piece: string): CutText {
    const heldBefore = this.#held.length;
    this.#held.push(piece);
    for (let position = 0; position < piece.length; position += 1) {
      const completed = this.#read(piece.charCodeAt(position));
      if (completed > 0) return { text: this.#held.take(heldBefore + position + 1 - completed), stopped: true };
    }
    let undecided = 0;
    for (const { matched } of this.#matches) undecided = Math.max(undecided, matched);
    return { text: this.#held.take(this.#held.length - undecided), stopped: false };
  }

  /** Returns the held text at the end. */
  flush(): string {
    for (const match of this.#matches) match.matched = 0;
    return this.#held.take(this.#held.length);
  }

  /** Returns the length of the longest completed sequence; 0 for none. */
  #read(character: number): number {
    let longest = 0;
    for (const match of this.#matches) {
      if (match.read(character)) longest = Math.max(longest, match.sequence.length);
    }
    return longest;
  }
}

/** Passes text on up to the first stop sequence that the gateway enforces. */
export class GuardedText {
  readonly #cutter: StopSequenceCutter | null;

  constructor(sequences: readonly string[], private readonly write: (text: string) => void) {
    this.#cutter = sequences.length === 0 ? null : new StopSequenceCutter(sequences);
  }

  /** Passes text on. Returns `stopped` at a stop sequence. */
  push(text: string): 'goes-on' | 'stopped' {
    if (this.#cutter === null) {
      this.write(text);
      return 'goes-on';
    }
    const cut = this.#cutter.push(text);
    this.write(cut.text);
    return cut.stopped ? 'stopped' : 'goes-on';
  }

  /** Passes the held text on. */
  flush(): void {
    if (this.#cutter !== null) this.write(this.#cutter.flush());
  }
}
