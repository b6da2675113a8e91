import { type Clock, isStoreLost, MILLISECONDS_PER_SECOND, type OperatorControls, type PlatformState, SYSTEM_ACTOR } from '@tollgate/core';
import type { Logger } from 'pino';
import { every } from './every.js';

/** How often it is looked whether another process has set an expiry; a block whose expiry is known ends right then. */
export const EXPIRY_LOOK_MILLISECONDS = MILLISECONDS_PER_SECOND;

export interface BlockExpiryPorts {
  readonly platform: PlatformState;
  readonly controls: OperatorControls;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Ends blocks of accounts, keys and networks when they come to their date. Of several gateways one ends each. */
export class BlockExpiry {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: BlockExpiryPorts) {}

  start(): void {
    const { clock, log } = this.ports;
    this.#stop = every({
      clock,
      intervalMilliseconds: () => this.pause(),
      task: () => this.endExpired(),
      // The lease keeper tells of a store that is lost.
      onFailure: (err) => {
        if (!isStoreLost(err)) log.error({ err }, 'blocks that have expired could not be ended; it is tried again');
      },
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  private pause(): number {
    const { platform, clock } = this.ports;
    const endsAt = platform.current().nextBlockEndsAt;
    const rest = endsAt === null ? EXPIRY_LOOK_MILLISECONDS : endsAt - clock.now();
    // One that is due all the same was left by a turn that failed, or is one of many.
    return rest > 0 ? Math.min(rest, EXPIRY_LOOK_MILLISECONDS) : EXPIRY_LOOK_MILLISECONDS;
  }

  private async endExpired(): Promise<void> {
    const { platform, controls, clock, log } = this.ports;
    const endsAt = platform.current().nextBlockEndsAt;
    const at = clock.now();
    if (endsAt === null || endsAt > at) return;
    const ended = await controls.endExpiredBlocks({ actor: SYSTEM_ACTOR, at });
    if (ended > 0) log.info({ blocks: ended }, 'ended blocks that had expired');
  }
}
