import { StopSequenceCutter } from './stop-sequence-cutter.js';

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
