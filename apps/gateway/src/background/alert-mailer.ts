import { MILLISECONDS_PER_SECOND } from '@tollgate/core';
import type { AlertMails } from '@tollgate/identity';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const ALERT_MAILER_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;
/** Each step is a short transaction, so that requests run between two steps. */
const STEPS_PER_TURN = 50;

interface AlertMailerPorts extends TaskPorts {
  readonly alerts: AlertMails;
}

/** Mails the owners of accounts about events. Each event is mailed by only one of several gateways. */
export class AlertMailer extends ScheduledTask<AlertMailerPorts> {
  protected readonly schedule = { intervalMilliseconds: ALERT_MAILER_MILLISECONDS, failureMessage: 'mails about events could not be stored; the gateway retries' };

  async run(): Promise<void> {
    const { alerts, log } = this.ports;
    for (let steps = 0; steps < STEPS_PER_TURN; steps += 1) {
      const step = await alerts.step();
      for (const err of step.failures) this.failed(err);
      if (step.outcome === 'full') log.warn('mails about events are postponed: too many messages are waiting for delivery');
      if (step.outcome !== 'more') return;
    }
  }
}
