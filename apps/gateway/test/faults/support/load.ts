import { setTimeout as pause } from 'node:timers/promises';
import { DELIVERIES, FORMATS } from '../../acceptance/support/formats.js';
import { ask, type Asking, type Outcome } from './ask.js';

/** Pause between two requests of a client: without it, clients take all of the CPU while a test waits for a fault. */
const PAUSE_MILLISECONDS = 25;
const WAYS = FORMATS.length * DELIVERIES.length;

/** Continuous sequential clients in all formats and deliveries, over all gateways in turns. */
export class Load {
  readonly outcomes: Outcome[] = [];
  #asked = 0;
  #isStopped = false;
  readonly #clients: Promise<unknown>;

  constructor(private readonly urls: readonly string[], clients: number, private readonly asking: Pick<Asking, 'key' | 'model'>) {
    this.#clients = Promise.all(Array.from({ length: clients }, () => this.client()));
  }

  /** Resolves after the last replies. */
  async stop(): Promise<readonly Outcome[]> {
    this.#isStopped = true;
    await this.#clients;
    return this.outcomes;
  }

  private async client(): Promise<void> {
    while (!this.#isStopped) {
      const number = this.#asked;
      this.#asked += 1;
      // Every kind of request goes to every gateway.
      const url = this.urls[Math.floor(number / WAYS) % this.urls.length] ?? '';
      this.outcomes.push(await ask({ ...this.asking, url, number }));
      await pause(PAUSE_MILLISECONDS);
    }
  }
}
