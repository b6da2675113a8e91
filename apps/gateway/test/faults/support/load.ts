import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Asking, type Outcome, WAYS } from './ask.js';

/** Pause between two requests of a client. Without it, clients take all of the CPU while a test waits for a fault. */
const PAUSE_MILLISECONDS = 25;

/** Clients that send one request after the other, in all formats and deliveries, to each gateway in turn. */
export class Load {
  readonly outcomes: Outcome[] = [];
  #asked = 0;
  #isStopped = false;
  readonly #clients: Promise<unknown>;

  constructor(private readonly urls: readonly string[], clients: number, private readonly asking: Pick<Asking, 'key' | 'model'>) {
    this.#clients = Promise.all(Array.from({ length: clients }, () => this.client()));
  }

  /** Lets no client begin another request; resolves with the outcomes after the last replies. */
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
