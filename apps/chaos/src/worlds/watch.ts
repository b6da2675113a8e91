import { setTimeout as pause } from 'node:timers/promises';
import { Inspector } from './inspector.js';
import type { World } from './world.js';

const LOOK_MILLISECONDS = 200;

/** What a watch came to. */
export interface WatchFigures {
  readonly looks: number;
  /** Looks that came to nothing since the database or Redis was away. */
  readonly missed: number;
  readonly longestGapMilliseconds: number;
}

/** Looks at a world every 200 ms, or as soon as the look before is over. */
export class Watch {
  #inspector: Inspector | null = null;
  #stopped = false;
  #looking: Promise<void> = Promise.resolve();
  #figures: WatchFigures = { looks: 0, missed: 0, longestGapMilliseconds: 0 };

  constructor(private readonly world: World) {}

  get figures(): WatchFigures {
    return this.#figures;
  }

  get inspector(): Inspector {
    if (this.#inspector === null) throw new Error('a watch has begun before anybody asks for what it sees');
    return this.#inspector;
  }

  async start(): Promise<void> {
    this.#inspector ??= await Inspector.open(this.world);
    await this.inspector.reopen();
    this.#stopped = false;
    this.#looking = this.lookOn();
  }

  /** Resolves once nobody looks any more and the database is left to its gateways. */
  async pause(): Promise<void> {
    this.#stopped = true;
    await this.#looking;
    await this.inspector.close();
  }

  private async lookOn(): Promise<void> {
    let before = performance.now();
    while (!this.#stopped) {
      const beganAt = performance.now();
      const saw = await this.look();
      const { looks, missed, longestGapMilliseconds } = this.#figures;
      const gap = saw ? performance.now() - before : 0;
      this.#figures = { looks: looks + 1, missed: missed + (saw ? 0 : 1), longestGapMilliseconds: Math.max(longestGapMilliseconds, gap) };
      before = performance.now();
      await pause(Math.max(0, LOOK_MILLISECONDS - (before - beganAt)));
    }
  }

  private async look(): Promise<boolean> {
    try {
      await this.inspector.look();
      return true;
    } catch (thrown) {
      if (!this.world.setup.isTroubled()) this.world.violate(`the books could not be looked at: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      return false;
    }
  }
}
