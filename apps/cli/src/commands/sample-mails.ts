import { type AccountEvent, type AccountId, type EventId, instant, type JsonObject, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, type ModelSlug, parseTokenRate, perRate, type Price } from '@tollgate/core';
import {
  addressChangedMessage, type AlertKind, alertMessage, confirmAddressChangeMessage, confirmRequestedChangeMessage, confirmSignInMessage, deletionScheduledMessage, existingAccountMessage, factorChangedMessage, failuresMessage, invitationMessage,
  type MailContent, type MailName, type MailSite, noticeMessage, passwordChangedMessage, resetPasswordMessage, signInLinkMessage, testMessage, verifyAddressMessage, verifyNewAddressMessage,
} from '@tollgate/identity';

const AT = instant(Date.UTC(2026, 10, 22, 19, 5));
const USD = parseTokenRate('0.001');
const [SMALL, LARGE] = ['example-small' as ModelSlug, 'example-large' as ModelSlug];

function priceOf(rate: string): Price {
  return perRate(() => parseTokenRate(rate));
}

function alertOf(kind: AlertKind, data: JsonObject, { site, creditLine }: { readonly site: MailSite; readonly creditLine: string | null }): MailContent {
  const event: AccountEvent = { id: 'evt_example' as EventId, type: kind, accountId: 'acct_example' as AccountId, externalId: null, accountSequence: 1, at: AT, data };
  return alertMessage({ kind, events: [event], keyNames: new Map([['key_example', 'ci']]), webhookUrls: new Map([['wh_example', 'https://shop.example.com/hook']]), paymentUrls: new Map() }, { ...site, creditAdvice: creditLine });
}

/** Creates every kind of message, with invented people and models. */
export function sampleMails(site: MailSite, creditLine: string | null): Readonly<Record<MailName, MailContent>> {
  const link = { ...site, token: 'EXAMPLE', lifetimeMilliseconds: MILLISECONDS_PER_HOUR };
  const change = { from: AT, before: priceOf('0.001'), price: priceOf('0.0012') };
  const alert = (kind: AlertKind, data: JsonObject) => alertOf(kind, data, { site, creditLine });
  const used = new Set([SMALL]);
  return {
    'verify-address': verifyAddressMessage(link),
    'existing-account': existingAccountMessage(site),
    'sign-in-link': signInLinkMessage(link),
    'confirm-sign-in': confirmSignInMessage(link),
    invitation: invitationMessage(link),
    'reset-password': resetPasswordMessage(link),
    'password-changed': passwordChangedMessage({ ...site, at: AT }),
    'confirm-change': confirmAddressChangeMessage({ ...link, newAddress: 'new@example.com' }),
    'confirm-requested-change': confirmRequestedChangeMessage({ ...link, newAddress: 'new@example.com' }),
    'change-address': verifyNewAddressMessage(link),
    'address-changed': addressChangedMessage({ ...site, address: 'new', at: AT }),
    'factor-changed': factorChangedMessage({ ...site, change: 'passkey-added', at: AT }),
    'failed-sign-ins': failuresMessage({ ...site, notice: 'many-failures', at: AT }),
    'deletion-scheduled': deletionScheduledMessage({ ...site, dueAt: later(AT, MILLISECONDS_PER_DAY) }),
    'balance-low': alert('balance.low', { threshold: '20', balance: '19.5' }),
    'balance-exhausted': alert('balance.exhausted', { threshold: '1', balance: '0.25' }),
    'key-limit-reached': alert('key.limit_reached', { key_id: 'key_example', period: '2026-11', limit: '50', spent: '49.75' }),
    'cap-reached': alert('account.cap_reached', { period: '2026-11', limit: 1_000_000, used: 998_765 }),
    'webhook-disabled': alert('webhook.disabled', { webhook_id: 'wh_example', reason: 'failing' }),
    'credit-expiring': alert('credit.expiring', { ledger_entry: '12', svc_tokens: '37.5', expires_at: '2026-12-06T19:05:00.000Z', days: 14 }),
    'refund-failed': alert('payment.refund_failed', { payment_id: 'pay_example', refund_id: 're_example', refunded: '10.00', currency: 'USD', svc_tokens_returned: '1000' }),
    'top-up-declined': alert('automatic_top_up.declined', { payment_id: 'pay_example', declines: 1, next_try_at: '2026-11-22T20:05:00.000Z' }),
    'top-up-authentication': alert('automatic_top_up.authentication_needed', { payment_id: 'pay_example' }),
    'top-up-stopped': alert('automatic_top_up.stopped', { reason: 'declined', payment_id: 'pay_example' }),
    'price-change': noticeMessage({ notice: { kind: 'price', id: 'example', list: null, from: AT, rises: new Map([[SMALL, change]]) }, used, usdPerServiceToken: USD }, site),
    'model-shutdown': noticeMessage({ notice: { kind: 'shutdown', id: 'example', model: SMALL, shutdown: { at: AT, successor: LARGE, forwards: false } }, used, usdPerServiceToken: USD }, site),
    test: testMessage(site),
  };
}
