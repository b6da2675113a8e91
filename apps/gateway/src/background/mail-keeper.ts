import { later, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { MAIL_REMEMBERED_MILLISECONDS, MAIL_TRACED_MILLISECONDS, type MailOutbox } from '@tollgate/identity';
import { repeatSteps } from './repeat-steps.js';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

/** Interval of erasure; short, for gateways that are restarted often. */
export const MAIL_KEEPER_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;

interface MailKeeperPorts extends TaskPorts {
  readonly outbox: MailOutbox;
}

/** Deletes ended messages, with their addresses, once operators no longer trace them. */
export class MailKeeper extends ScheduledTask<MailKeeperPorts> {
  protected readonly schedule = { intervalMilliseconds: MAIL_KEEPER_MILLISECONDS, failureMessage: 'old mail could not be erased; the gateway retries' };

  async run(): Promise<void> {
    const { outbox, clock } = this.ports;
    const now = clock.now();
    await repeatSteps(() => outbox.forget({ traced: later(now, -MAIL_TRACED_MILLISECONDS), remembered: later(now, -MAIL_REMEMBERED_MILLISECONDS) }));
  }
}
