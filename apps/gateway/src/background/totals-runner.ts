import { type AllAccountsUsage, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const TOTALS_INTERVAL_MILLISECONDS = MILLISECONDS_PER_HOUR;

interface TotalsRunnerPorts extends TaskPorts {
  readonly allUsage: AllAccountsUsage;
}

/** Aggregates the usage of all accounts once an hour, so that an operator's first look after days finds little left to do. */
export class TotalsRunner extends ScheduledTask<TotalsRunnerPorts> {
  protected readonly schedule = { intervalMilliseconds: TOTALS_INTERVAL_MILLISECONDS, failureMessage: 'the usage of all accounts could not be aggregated; the gateway retries' };

  protected run(): Promise<void> {
    return this.ports.allUsage.catchUp();
  }
}
