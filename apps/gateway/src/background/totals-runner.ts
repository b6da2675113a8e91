import { type AllAccountsUsage, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const TOTALS_INTERVAL_MILLISECONDS = MILLISECONDS_PER_HOUR;

interface TotalsRunnerPorts extends TaskPorts {
  readonly allUsage: AllAccountsUsage;
}

/** Adds up usage every hour, so that operators' summaries are fast. */
export class TotalsRunner extends ScheduledTask<TotalsRunnerPorts> {
  protected readonly schedule = { intervalMilliseconds: TOTALS_INTERVAL_MILLISECONDS, failureMessage: 'the usage of all accounts could not be aggregated; the gateway retries' };

  protected run(): Promise<void> {
    return this.ports.allUsage.catchUp();
  }
}
