import type { Page } from 'playwright-core';
import { answered } from './replies.js';

const LONG_URL = 'https://events-of-the-accounting-system.a-rather-long-name-of-a-company.example.com/integrations/tollgate/webhook?tenant=4711&region=eu-central';
const ACTIVE = { object: 'webhook', status: 'active', disabled_reason: null, disabled_at: null, failing_since: null, previous_secret_expires_at: null, created_at: '2026-10-01T08:00:00.000Z' };

const ATTEMPT = { at: '2026-11-22T13:58:41.120Z', duration_ms: 184, status: 204, answer: null, failure: null };
const REFUSED = {
  at: '2026-11-22T13:40:12.007Z', duration_ms: 1_420, status: 500, failure: 'answered 500',
  answer: '<!doctype html><title>Internal Server Error</title><p>The server encountered an internal error and was unable to complete your request.</p>',
};
const SILENT = { at: '2026-11-22T13:20:00.000Z', duration_ms: 15_000, status: null, answer: null, failure: 'no complete answer within 15 seconds' };

function delivery(number: number, type: string, fields: object = {}) {
  return {
    object: 'webhook_delivery', event_id: `evt_${number}`, type, account_id: 'acct_1', account_sequence: number, status: 'delivered', attempts: 1, created_at: `2026-11-22T13:${10 + number}:02.000Z`, next_attempt_at: null,
    last_attempt: ATTEMPT, ...fields,
  };
}

const WAITING = delivery(30, 'balance.low', { status: 'waiting', attempts: 3, next_attempt_at: '2026-11-22T14:10:12.007Z', last_attempt: REFUSED });
const FAILED = delivery(4, 'account.standing_changed', { status: 'failed', attempts: 10, last_attempt: SILENT });
const DELIVERIES = [
  delivery(41, 'webhook.test', { status: 'waiting', attempts: 0, last_attempt: null }), WAITING, delivery(20, 'key.limit_reached', { last_attempt: { ...ATTEMPT, status: 200, answer: '{"received": true}' } }),
  delivery(12, 'usage.day_closed'), FAILED,
];

const SHOP = { ...ACTIVE, id: 'hook_shop', url: 'https://shop.example.com/webhook', types: null, description: 'The shop', previous_secret_expires_at: '2026-11-23T09:00:00.000Z' };
const ACCOUNTING = { ...ACTIVE, id: 'hook_accounting', url: LONG_URL, types: ['usage.day_closed', 'balance.booked'], description: 'Accounting of the group, asked for by the department of finance', failing_since: '2026-11-22T09:12:00.000Z' };
const GONE = { ...ACTIVE, id: 'hook_gone', url: 'https://old.example.com/', types: ['balance.low'], description: '', status: 'disabled', disabled_reason: 'gone', disabled_at: '2026-11-20T10:00:00.000Z' };
const STOPPED = { ...GONE, id: 'hook_stopped', url: 'https://portal.example.com/hook', description: 'Portal', disabled_reason: 'failing', failing_since: '2026-11-15T10:00:00.000Z' };
const WEBHOOKS = [
  { ...SHOP, last_delivery: delivery(20, 'balance.low') }, { ...ACCOUNTING, last_delivery: WAITING }, { ...STOPPED, last_delivery: FAILED }, { ...GONE, last_delivery: FAILED },
  { ...GONE, id: 'hook_paused', url: 'https://staging.example.com/', types: null, disabled_reason: 'requested', last_delivery: null },
];

const ALL = [SHOP, ACCOUNTING, STOPPED, GONE];

function listOf(data: readonly object[]) {
  return { object: 'list', data, has_more: false, next_cursor: null };
}

/**
 * Replaces the gateway's replies about webhooks: there are webhooks in every state, with deliveries. `before` is `/operator` for webhooks of
 * operators.
 */
export function withWebhooks(before: '' | '/operator'): (page: Page) => Promise<unknown> {
  return async (page) => {
    await answered(`${before}/webhooks`, listOf(WEBHOOKS))(page);
    for (const webhook of ALL) {
      await answered(`${before}/webhooks/${webhook.id}`, webhook)(page);
      await answered(`${before}/webhooks/${webhook.id}/deliveries*`, listOf(DELIVERIES))(page);
    }
  };
}
