import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '@tollgate/testkit/programs';
import { type Demand, exchange, FORMATS, type Outcome } from './exchange.js';

interface LoadOptions {
  /** URLs of the gateways that serve; each request goes to a random one. */
  readonly urls: () => readonly string[];
  /** API keys, of which each request uses a random one. */
  readonly keys: readonly string[];
  readonly clients: number;
  readonly random: SeededRandom;
  /** Returns a number that no other request of the run has. */
  readonly nextNumber: () => number;
  /** Receives each outcome with the time of its request, as `performance.now()`. */
  readonly onOutcome: (outcome: Outcome, sentAt: number) => void;
}

const LEAVING_SHARE = 0.2;
const LEAVING_AT_HOLD_SHARE = 0.1;
const MAX_STAY_MILLISECONDS = 120;
const MIN_PIECES = 6;
const MAX_PIECES = 30;
const MAX_THOUGHT_MILLISECONDS = 40;
const AFTER_FAILURE_MILLISECONDS = 10;

/** Clients that send requests continuously, in all formats, streamed and whole. Some disconnect early. */
export class Load {
  #stopped = false;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #clients: Promise<unknown>;

  constructor(private readonly options: LoadOptions) {
    this.#clients = Promise.all(Array.from({ length: options.clients }, () => this.client()));
  }

  /** Lets no further request begin; resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#clients;
    this.#agent.destroy();
  }

  private async client(): Promise<void> {
    const { urls, random, onOutcome } = this.options;
    while (!this.#stopped) {
      const serving = urls();
      const url = serving[random.between(0, serving.length - 1)];
      const sentAt = performance.now();
      const outcome = url === undefined ? null : await exchange(this.demandTo(url));
      if (outcome !== null) onOutcome(outcome, sentAt);
      await pause(outcome?.status === 200 ? random.between(0, MAX_THOUGHT_MILLISECONDS) : AFTER_FAILURE_MILLISECONDS);
    }
  }

  private demandTo(url: string): Demand {
    const { keys, random, nextNumber } = this.options;
    const format = FORMATS[random.between(0, FORMATS.length - 1)] ?? 'chat';
    const common = { url, agent: this.#agent, key: keys[random.between(0, keys.length - 1)] ?? '', format };
    const pieces = random.between(MIN_PIECES, MAX_PIECES);
    const number = nextNumber();
    if (random.happens(LEAVING_AT_HOLD_SHARE)) {
      return { ...common, streamed: true, script: { number, pieces, holdsAfter: random.between(1, pieces - 1) }, leaves: 'at-hold' };
    }
    const leaves = random.happens(LEAVING_SHARE) ? { afterMilliseconds: random.between(0, MAX_STAY_MILLISECONDS) } : null;
    return { ...common, streamed: random.happens(0.6), script: { number, pieces, holdsAfter: null }, leaves };
  }
}
