import { SEQUENCE_LENGTH } from '../upstream/replies.js';
import type { BenchRequest } from './connection.js';
import type { Tally } from './loads.js';

/** Counts the numbered events of a stream, and detects missing and reordered ones. The bytes may be split anywhere. */
export class EventChecker {
  #tail = '';
  #next = 0;
  #inOrder = true;

  /** @param mark The text directly before the number of an event. */
  constructor(private readonly mark: string) {}

  get events(): number {
    return this.#next;
  }

  get inOrder(): boolean {
    return this.#inOrder;
  }

  push(bytes: Buffer): void {
    const text = this.#tail + bytes.toString('latin1', 0, bytes.length);
    let from = 0;
    for (;;) {
      const at = text.indexOf(this.mark, from);
      const end = at + this.mark.length + SEQUENCE_LENGTH;
      if (at === -1 || end > text.length) break;
      if (Number(text.slice(at + this.mark.length, end)) !== this.#next) this.#inOrder = false;
      this.#next += 1;
      from = end;
    }
    this.#tail = text.slice(Math.max(from, text.length - (this.mark.length + SEQUENCE_LENGTH - 1)));
  }
}

const OK = 200;
const EXCERPT_CHARACTERS = 300;

interface BenchRequestOptions {
  readonly tally: Tally;
  readonly sentAt: number;
  /** Called when the reply is complete or can no longer become complete. */
  readonly whenOver: () => void;
}

export class WholeRequest implements BenchRequest {
  #status = 0;
  #refusal = '';

  constructor(protected readonly options: BenchRequestOptions) {}

  onHead(status: number): void {
    this.#status = status;
  }

  onBody(bytes: Buffer): void {
    if (this.#status !== OK && this.#refusal.length < EXCERPT_CHARACTERS) this.#refusal += bytes.toString();
  }

  onEnd(): void {
    const { tally, sentAt, whenOver } = this.options;
    if (this.#status === OK) {
      tally.completed += 1;
      tally.latency.add(performance.now() - sentAt);
    } else tally.fail(`status ${this.#status}: ${this.#refusal}`);
    whenOver();
  }

  onBroken(reason: string): void {
    this.options.tally.fail(reason);
    this.options.whenOver();
  }
}

export class StreamRequest extends WholeRequest {
  readonly #checker: EventChecker;

  constructor(options: BenchRequestOptions, private readonly expectedEvents: number, eventMark: string) {
    super(options);
    this.#checker = new EventChecker(eventMark);
  }

  override onBody(bytes: Buffer): void {
    super.onBody(bytes);
    const before = this.#checker.events;
    this.#checker.push(bytes);
    const { tally, sentAt } = this.options;
    tally.events += this.#checker.events - before;
    if (before === 0 && this.#checker.events > 0) tally.firstToken.add(performance.now() - sentAt);
  }

  override onEnd(): void {
    if (!this.#checker.inOrder || this.#checker.events !== this.expectedEvents) this.options.tally.brokenStreams += 1;
    super.onEnd();
  }
}
