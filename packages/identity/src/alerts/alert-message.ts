import { type AccountEvent, assertNever, invariant } from '@tollgate/core';
import { composeMessage, type MessageParts } from '../mail/compose-message.js';
import { dashboardUrl, type MailSite, siteOf, tokensWord } from '../mail/dashboard-links.js';
import { dayText, momentText } from '../mail/mail-times.js';
import type { MailLanguage } from '../mail/mail-language.js';
import type { MailContent } from '../mail/mail.js';
import type { Alert } from './alert-records.js';
import { creditParts } from './credit-message.js';
import { failedRefundParts } from './failed-refund-message.js';
import { topUpParts } from './top-up-message.js';

export interface AlertSite extends MailSite {
  /** A sentence on how an owner gets credit; `null` omits it. */
  readonly creditAdvice: string | null;
}

type AlertContent = Omit<Alert, 'to' | 'accountId' | 'language'>;

const TURN_OFF = 'You can change when you get this message, or turn it off, on the page Settings under Notifications.';

/** Text of a field that every event of this kind has. */
function textOf({ data }: AccountEvent, field: string): string {
  const value = data[field];
  invariant(typeof value === 'string', 'events of alerts have texts');
  return value;
}

function newestOf({ events }: AlertContent): AccountEvent {
  const newest = events.at(-1);
  invariant(newest !== undefined, 'an alert is about an event');
  return newest;
}

function creditText({ baseUrl, creditAdvice, language }: AlertSite): string {
  if (creditAdvice !== null) return creditAdvice;
  return language === 'de' ? `Um Guthaben zu bekommen, fragen Sie die Betreiber von ${siteOf(baseUrl)}.` : `To get credit, ask the operators of ${siteOf(baseUrl)}.`;
}

function lowBalanceParts(alert: AlertContent, site: AlertSite): MessageParts {
  const event = newestOf(alert);
  const threshold = textOf(event, 'threshold');
  return {
    name: 'balance-low', values: { balance: textOf(event, 'balance'), credit: creditText(site), threshold, time: momentText(event.at, site.language) },
    subject: `Your balance is below ${threshold} ${tokensWord(site)}`,
    beforeLink: [
      `The balance of your ${site.product} account at ${siteOf(site.baseUrl)} fell below ${threshold} ${tokensWord(site)} on ${momentText(event.at)}. It was ${textOf(event, 'balance')} ${tokensWord(site)} then.`,
      `Requests are refused once the balance is used up. ${creditText(site)}`,
      'Your balance and what you spend are on this page:',
    ],
    link: { label: 'Open the overview', url: `${dashboardUrl(site.baseUrl)}/overview` },
    afterLink: [TURN_OFF],
  };
}

function exhaustedParts(alert: AlertContent, site: AlertSite): MessageParts {
  const event = newestOf(alert);
  return {
    name: 'balance-exhausted', values: { balance: textOf(event, 'balance'), credit: creditText(site), threshold: textOf(event, 'threshold'), time: momentText(event.at, site.language) },
    subject: 'Your balance is used up',
    beforeLink: [
      `The balance of your ${site.product} account at ${siteOf(site.baseUrl)} fell to ${textOf(event, 'balance')} ${tokensWord(site)} on ${momentText(event.at)}. A request needs at least ${textOf(event, 'threshold')}, so requests are refused until there is credit again.`,
      creditText(site),
      'Your balance and what you spend are on this page:',
    ],
    link: { label: 'Open the overview', url: `${dashboardUrl(site.baseUrl)}/overview` },
    afterLink: [TURN_OFF],
  };
}

/** Matches a UTC day. The limit of a key has a day or a month as its period. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const GERMAN_DURATIONS = { day: 'Tag', month: 'Monat' } as const;

function durationOf(period: string): 'day' | 'month' {
  return DAY.test(period) ? 'day' : 'month';
}

function keyText(event: AccountEvent, keyNames: Alert['keyNames'], site: AlertSite): string {
  const [id, period] = [textOf(event, 'key_id'), textOf(event, 'period')];
  const name = keyNames.get(id);
  const { language } = site;
  if (language === 'de') {
    return `Der API-Schlüssel ${name === undefined ? id : `„${name}“`} hat ${textOf(event, 'spent')} von ${textOf(event, 'limit')} ${tokensWord(site)} ausgegeben, die sein Limit für den ${GERMAN_DURATIONS[durationOf(period)]} ${dayText(period, language)} (UTC) erlaubt.`;
  }
  const key = name === undefined ? `The API key ${id}` : `The API key “${name}”`;
  return `${key} spent ${textOf(event, 'spent')} of the ${textOf(event, 'limit')} ${tokensWord(site)} that its limit allows for the ${durationOf(period)} ${period} (UTC).`;
}

function keyLimitParts(alert: AlertContent, site: AlertSite): MessageParts {
  const { baseUrl, product, language } = site;
  const newest = newestOf(alert);
  const keys = new Map(alert.events.map((event) => [textOf(event, 'key_id'), event]));
  const isOne = keys.size === 1;
  const page = `${dashboardUrl(baseUrl)}/keys`;
  const texts = [...keys.values()].map((event) => keyText(event, alert.keyNames, site));
  return {
    name: 'key-limit-reached', values: { keys: texts, time: momentText(newest.at, language) },
    subject: isOne ? 'An API key has reached its spending limit' : `${keys.size} API keys have reached their spending limits`,
    beforeLink: [
      `This is about your ${product} account at ${siteOf(baseUrl)}, as of ${momentText(newest.at)}.`,
      ...texts,
      isOne
        ? 'What is left is too little for a request, so requests with this key are refused until the next period begins. Other keys are not affected. To use it earlier, raise its limit:'
        : 'What is left is too little for a request, so requests with these keys are refused until the next period begins. Other keys are not affected. To use them earlier, raise their limits:',
    ],
    link: { label: isOne ? 'Open the key' : 'Open the keys', url: isOne ? `${page}/${textOf(newest, 'key_id')}` : page },
    afterLink: [TURN_OFF],
  };
}

/** Formats the model tokens in a field that every event of this kind has. */
function tokensOf({ data }: AccountEvent, field: string, language?: MailLanguage): string {
  const value = data[field];
  invariant(typeof value === 'number', 'events of caps have counts');
  return value.toLocaleString(language === 'de' ? 'de-DE' : 'en-US');
}

function capDuration(event: AccountEvent): 'day' | 'month' {
  return durationOf(textOf(event, 'period'));
}

function capText(event: AccountEvent, language?: MailLanguage): string {
  if (language === 'de') {
    return `Am ${momentText(event.at, language)} wurde eine Anfrage abgelehnt: ${tokensOf(event, 'used', language)} von ${tokensOf(event, 'limit', language)} Modell-Tokens, die der Tarif für den ${GERMAN_DURATIONS[capDuration(event)]} ${dayText(textOf(event, 'period'), language)} (UTC) erlaubt, waren mit laufenden Anfragen benutzt.`;
  }
  return `On ${momentText(event.at)} a request was refused: ${tokensOf(event, 'used')} of the ${tokensOf(event, 'limit')} model tokens that the plan allows for the ${capDuration(event)} ${textOf(event, 'period')} (UTC) were used, running requests included.`;
}

function capParts(alert: AlertContent, { baseUrl, product, language }: AlertSite): MessageParts {
  const { events } = alert;
  const durations = new Set(events.map(capDuration));
  const texts = events.map((event) => capText(event, language));
  return {
    name: 'cap-reached', values: { caps: texts },
    subject: durations.size === 1 ? `The ${capDuration(newestOf(alert)) === 'day' ? 'daily' : 'monthly'} token cap of your plan is reached` : 'The daily and the monthly token cap of your plan are reached',
    beforeLink: [
      `This is about your ${product} account at ${siteOf(baseUrl)}.`,
      ...texts,
      `Requests that need more tokens than are left are refused until the next ${durations.has('month') ? 'month' : 'day'} begins (UTC). For a higher cap, ask the operators of ${siteOf(baseUrl)}.`,
      'The limits of your plan and what is used of them are on this page:',
    ],
    link: { label: 'Open the limits', url: `${dashboardUrl(baseUrl)}/account` },
    afterLink: [TURN_OFF],
  };
}

/** The origin of a URL, without path and query, which may contain secrets. */
const ORIGIN = /^[a-z]+:\/\/[^/?#]+/;

function webhookText(event: AccountEvent, urls: Alert['webhookUrls'], language?: MailLanguage): string {
  const id = textOf(event, 'webhook_id');
  const origin = ORIGIN.exec(urls.get(id) ?? '')?.[0];
  if (language === 'de') {
    const reason = textOf(event, 'reason') === 'gone' ? 'Er hat mit 410 geantwortet' : 'Seit fünf Tagen gelang keine Zustellung';
    return `Der Webhook ${id}${origin === undefined ? '' : ` bei ${origin}`}${event.accountId === null ? ' der Betreiber' : ''} wurde am ${momentText(event.at, language)} abgeschaltet: ${reason}.`;
  }
  const webhook = `The webhook ${id}${origin === undefined ? '' : ` at ${origin}`}${event.accountId === null ? ' of the operators' : ''}`;
  const why = textOf(event, 'reason') === 'gone' ? 'it answered 410' : 'no delivery has succeeded for five days';
  return `${webhook} was disabled on ${momentText(event.at)}: ${why}.`;
}

function webhookParts(alert: AlertContent, { baseUrl, product, language }: AlertSite): MessageParts {
  const newest = newestOf(alert);
  const webhooks = new Map(alert.events.map((event) => [textOf(event, 'webhook_id'), event]));
  const isOne = webhooks.size === 1;
  const page = `${dashboardUrl(baseUrl)}${newest.accountId === null ? '/operator' : ''}/webhooks`;
  const texts = [...webhooks.values()].map((event) => webhookText(event, alert.webhookUrls, language));
  return {
    name: 'webhook-disabled', values: { webhooks: texts },
    subject: isOne ? 'A webhook was disabled' : `${webhooks.size} webhooks were disabled`,
    beforeLink: [
      `This is about ${product} at ${siteOf(baseUrl)}.`,
      ...texts,
      'A disabled webhook receives nothing. Once its program works again, catch up in the dashboard: that enables it and sends the events that it missed:',
    ],
    link: { label: isOne ? 'Open the webhook' : 'Open the webhooks', url: isOne ? `${page}/${textOf(newest, 'webhook_id')}` : page },
    afterLink: [TURN_OFF],
  };
}

function partsOf(alert: AlertContent, site: AlertSite): MessageParts {
  switch (alert.kind) {
    case 'balance.low': return lowBalanceParts(alert, site);
    case 'balance.exhausted': return exhaustedParts(alert, site);
    case 'key.limit_reached': return keyLimitParts(alert, site);
    case 'account.cap_reached': return capParts(alert, site);
    case 'webhook.disabled': return webhookParts(alert, site);
    case 'credit.expiring': return creditParts(alert, site, TURN_OFF);
    case 'payment.refund_failed': return failedRefundParts(alert, site);
    case 'automatic_top_up.declined': case 'automatic_top_up.authentication_needed': case 'automatic_top_up.stopped': return topUpParts(alert, site);
    default: return assertNever(alert.kind);
  }
}

/** The message about an alert. If several thresholds were crossed, it states the one that was crossed last. */
export function alertMessage(alert: AlertContent, site: AlertSite): MailContent {
  return composeMessage(partsOf(alert, site), site);
}
