import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Where lines go in the end. */
export interface LineSink {
  write(text: string): void;
  flushSync(): void;
}

export interface GatheringTerms {
  /** Lines wait for each other until there are this many characters, */
  readonly characters: number;
  /** or for this long. */
  readonly milliseconds: number;
  /** Takes the last lines when the sink does not. */
  readonly descriptor: number;
}

/**
 * Gathers lines and hands them on in one piece. The stream behind it could do so itself, but measures all that waits at every
 * line, which costs more than the line.
 */
export class GatheredLines implements DestinationStream {
  #waiting = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly sink: LineSink, private readonly terms: GatheringTerms) {}

  write(line: string): void {
    this.#waiting += line;
    if (this.#waiting.length >= this.terms.characters) this.#handOn();
    else this.#timer ??= setTimeout(() => this.#handOn(), this.terms.milliseconds).unref();
  }

  /** For the end of the process: nothing waits any more when it returns. */
  flushSync(): void {
    const lines = this.#take();
    try {
      this.sink.write(lines);
      this.sink.flushSync();
    } catch {
      // It has been closed, or cannot go on now; there is no later for these lines.
      writeSync(this.terms.descriptor, lines);
    }
  }

  #handOn(): void {
    const lines = this.#take();
    if (lines !== '') this.sink.write(lines);
  }

  #take(): string {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const lines = this.#waiting;
    this.#waiting = '';
    return lines;
  }
}
