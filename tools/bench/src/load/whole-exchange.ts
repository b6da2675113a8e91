import type { Exchange } from './connection.js';
import type { Tally } from './tally.js';

const OK = 200;
/** Of the body of a reply that was refused, enough to tell why. */
const EXCERPT_CHARACTERS = 300;

export interface ExchangeOptions {
  readonly tally: Tally;
  /** The instant the request was sent. */
  readonly sentAt: number;
  /** The reply has come, or never will. */
  readonly whenOver: () => void;
}

/** A request whose reply matters only in that and when it comes. */
export class WholeExchange implements Exchange {
  #status = 0;
  #refusal = '';

  constructor(protected readonly options: ExchangeOptions) {}

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
