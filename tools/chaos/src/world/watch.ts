import { setTimeout as pause } from 'node:timers/promises';
import { Inspector } from './inspector.js';
import type { World } from './world.js';

const LOOK_MILLISECONDS = 200;

/** What a watch came to. */
export interface WatchFigures {
  readonly looks: number;
  /** Looks that came to nothing since the database or Redis was away. */
  readonly missed: number;
  /** Time that was watched, from which the time between two looks follows. */
  readonly watchedMilliseconds: number;
  readonly longestGapMilliseconds: number;
  /** How often the product's own audit was run beside them. */
  readonly audits: number;
}

/** Looks at a world every 200 ms, or as soon as the look before is over, and audits it again and again meanwhile. */
export class Watch {
  #inspector: Inspector | null = null;
  #stopped = false;
  #watching: Promise<unknown> = Promise.resolve();
  #figures: WatchFigures = { looks: 0, missed: 0, watchedMilliseconds: 0, longestGapMilliseconds: 0, audits: 0 };

  constructor(private readonly world: World) {}

  get figures(): WatchFigures {
    return this.#figures;
  }

  get inspector(): Inspector {
    if (this.#inspector === null) throw new Error('a watch must begin before it has an inspector');
    return this.#inspector;
  }

  async start(): Promise<void> {
    this.#inspector ??= await Inspector.open(this.world);
    await this.inspector.reopen();
    this.#stopped = false;
    this.#watching = Promise.all([this.lookOn(), this.auditOn()]);
  }

  /** Resolves once the last look has ended and only gateways use the database. */
  async pause(): Promise<void> {
    this.#stopped = true;
    await this.#watching;
    await this.inspector.close();
  }

  private async lookOn(): Promise<void> {
    let before = performance.now();
    while (!this.#stopped) {
      const beganAt = performance.now();
      const saw = await this.attempt(() => this.inspector.look());
      const now = performance.now();
      const { looks, missed, watchedMilliseconds, longestGapMilliseconds } = this.#figures;
      this.#figures = {
        ...this.#figures,
        looks: looks + 1,
        missed: missed + (saw ? 0 : 1),
        watchedMilliseconds: watchedMilliseconds + now - before,
        longestGapMilliseconds: saw ? Math.max(longestGapMilliseconds, now - before) : longestGapMilliseconds,
      };
      before = now;
      await pause(Math.max(0, LOOK_MILLISECONDS - (now - beganAt)));
    }
  }

  private async auditOn(): Promise<void> {
    while (!this.#stopped) {
      if (await this.attempt(() => this.inspector.audit())) this.#figures = { ...this.#figures, audits: this.#figures.audits + 1 };
      await pause(LOOK_MILLISECONDS);
    }
  }

  /** Whether it could be done; that it could not is a violation unless the servers are away. */
  private async attempt(task: () => Promise<void>): Promise<boolean> {
    try {
      await task();
      return true;
    } catch (thrown) {
      if (!this.world.setup.isTroubled()) this.world.violate(`the books could not be looked at: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      return false;
    }
  }
}
