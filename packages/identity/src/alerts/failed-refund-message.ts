import { type AccountEvent, invariant } from '@tollgate/core';
import type { MessageParts } from '../mail/compose-message.js';
import { dashboardUrl, type MailSite, siteOf, tokensWord } from '../mail/dashboard-links.js';
import { momentText } from '../mail/mail-times.js';
import type { Alert } from './alert-records.js';

function refundText({ at, data: { refunded, currency, svc_tokens_returned: returned } }: AccountEvent, site: MailSite): string {
  invariant(typeof refunded === 'string' && typeof currency === 'string' && typeof returned === 'string', 'events of failed refunds have texts');
  const amount = `${refunded} ${currency}`;
  const word = tokensWord(site);
  if (site.language === 'de') {
    const back = returned === '0' ? '' : ` Ihrem Guthaben wurden ${returned} ${word} wieder gutgeschrieben.`;
    return `Die Erstattung von ${amount} konnte nicht ausgezahlt werden; am ${momentText(at, 'de')} kam das Geld zu den Betreibern zurück.${back}`;
  }
  return `The refund of ${amount} could not be paid out; the money came back to the operators on ${momentText(at)}.${returned === '0' ? '' : ` ${returned} ${word} were returned to your balance.`}`;
}

export function failedRefundParts({ events }: Pick<Alert, 'events'>, site: MailSite): MessageParts {
  const { baseUrl, product } = site;
  const payments = new Set(events.flatMap(({ data: { payment_id: id } }) => (typeof id === 'string' ? [id] : [])));
  const [only] = payments;
  const billing = `${dashboardUrl(baseUrl)}/billing`;
  const texts = events.map((event) => refundText(event, site));
  return {
    name: 'refund-failed', values: { refunds: texts },
    subject: events.length === 1 ? 'A refund could not be paid out' : `${events.length} refunds could not be paid out`,
    beforeLink: [
      `This is about your ${product} account at ${siteOf(baseUrl)}.`,
      ...texts,
      `To get the money another way, ask the operators of ${siteOf(baseUrl)}. What was paid and refunded is on this page:`,
    ],
    link: payments.size === 1 && only !== undefined ? { label: 'Open the payment', url: `${billing}/payments/${only}` } : { label: 'Open Billing', url: billing },
    afterLink: [],
  };
}
