import { MILLISECONDS_PER_SECOND, type OperatorControls, type PlatformState, SYSTEM_ACTOR } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

/** Maximum interval between runs, because other processes may create blocks. A block that expires sooner shortens the interval. */
export const EXPIRY_LOOK_MILLISECONDS = MILLISECONDS_PER_SECOND;

interface BlockExpiryPorts extends TaskPorts {
  readonly platform: PlatformState;
  readonly controls: OperatorControls;
}

/** Ends blocks at their expiry; each is ended by one of several gateways. */
export class BlockExpiry extends ScheduledTask<BlockExpiryPorts> {
  protected readonly schedule = { intervalMilliseconds: () => this.pause(), failureMessage: 'expired blocks could not be ended; the gateway retries' };

  protected async run(): Promise<void> {
    const { platform, controls, clock, log } = this.ports;
    const endsAt = platform.current().nextBlockEndsAt;
    const at = clock.now();
    if (endsAt === null || endsAt > at) return;
    const ended = await controls.endExpiredBlocks({ actor: SYSTEM_ACTOR, at });
    if (ended > 0) log.info({ blocks: ended }, 'ended blocks that had expired');
  }

  private pause(): number {
    const { platform, clock } = this.ports;
    const endsAt = platform.current().nextBlockEndsAt;
    const rest = endsAt === null ? EXPIRY_LOOK_MILLISECONDS : endsAt - clock.now();
    // A block that is already due was left by a failed run, or by a run that reached its maximum.
    return rest > 0 ? Math.min(rest, EXPIRY_LOOK_MILLISECONDS) : EXPIRY_LOOK_MILLISECONDS;
  }
}
