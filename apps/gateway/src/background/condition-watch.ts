import { type BackgroundEvents, type Condition, MILLISECONDS_PER_SECOND, tryInTurn } from '@tollgate/core';
import { repeatSteps } from './repeat-steps.js';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const CONDITION_WATCH_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;

interface ConditionWatchPorts extends TaskPorts {
  readonly backgroundEvents: BackgroundEvents;
  readonly alerts: { conditions(): readonly Condition[] };
}

/** Stores events of problems that begin in this process, of problems that have ended in every process, and of expired keys. */
export class ConditionWatch extends ScheduledTask<ConditionWatchPorts> {
  protected readonly schedule = { intervalMilliseconds: CONDITION_WATCH_MILLISECONDS, failureMessage: 'events of upstreams, books and expired keys could not be stored; the gateway retries' };

  async run(): Promise<void> {
    const { backgroundEvents, alerts, clock } = this.ports;
    const conditions: readonly Condition[] = alerts.conditions();
    const duties = [
      () => backgroundEvents.conditionsHold(conditions, clock.now()), () => repeatSteps(() => backgroundEvents.conditionsEnd(clock.now())),
      () => repeatSteps(() => backgroundEvents.keysExpired(clock.now())),
    ];
    await tryInTurn<() => Promise<unknown>>(duties, (duty) => duty());
  }
}
