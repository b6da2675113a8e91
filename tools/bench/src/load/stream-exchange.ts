import { EventChecker } from './event-checker.js';
import { type ExchangeOptions, WholeExchange } from './whole-exchange.js';

/** A request whose reply is a stream of numbered events. */
export class StreamExchange extends WholeExchange {
  readonly #checker = new EventChecker();

  constructor(options: ExchangeOptions, private readonly expectedEvents: number) {
    super(options);
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
