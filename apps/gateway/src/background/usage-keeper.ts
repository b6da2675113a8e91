import { later, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, type UsageFeed, type UtcDay, utcDayOf } from '@tollgate/core';
import { repeatSteps } from './repeat-steps.js';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const USAGE_KEEPER_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;
/** Wait after the end of a UTC day, because other gateways may still book on that day. Later bookings count for the next day. */
export const CLOSING_MILLISECONDS = MILLISECONDS_PER_MINUTE;

interface UsageKeeperPorts extends TaskPorts {
  readonly usageFeed: UsageFeed;
}

/** Numbers settlements even if no reader asks for them, closes days that have ended, and stores the events of closed days. */
export class UsageKeeper extends ScheduledTask<UsageKeeperPorts> {
  protected readonly schedule = { intervalMilliseconds: USAGE_KEEPER_MILLISECONDS, failureMessage: 'settlements could not be numbered for the usage feed, or a day not be closed; the gateway retries' };
  #openFrom: UtcDay | null = null;

  async run(): Promise<void> {
    const { usageFeed, clock } = this.ports;
    await repeatSteps(() => usageFeed.position());
    const today = utcDayOf(later(clock.now(), -CLOSING_MILLISECONDS));
    if (today !== this.#openFrom) await usageFeed.closeDaysBefore(today);
    this.#openFrom = today;
    await repeatSteps(() => usageFeed.announceClosedDays(clock.now()));
  }
}
