import type { MailDelivery } from '../../background/mail-delivery.js';
import { gauge, readCounter } from './gauge.js';
import type { Metric } from './metric.js';

/** What became of mail. */
export function mailMetrics(delivery: MailDelivery): readonly Metric[] {
  return [
    gauge({ name: 'tollgate_mails_waiting', help: 'Messages in the outbox when this gateway last looked.' }, () => delivery.waiting),
    readCounter({ name: 'tollgate_mails_delivered_total', help: 'Messages that this gateway delivered.' }, () => delivery.counts.delivered),
    readCounter({ name: 'tollgate_mail_failures_total', help: 'Attempts of this gateway to deliver a message that failed.' }, () => delivery.counts.failedAttempts),
    readCounter({ name: 'tollgate_mails_given_up_total', help: 'Messages that this gateway gave up: refused for good, or undelivered for a day.' }, () => delivery.counts.givenUp),
  ];
}
