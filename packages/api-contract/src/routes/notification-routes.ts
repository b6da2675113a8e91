import { MAX_ALERT_THRESHOLDS } from '@tollgate/core';
import { z } from 'zod';
import { amount, serviceTokens } from '../definition/field-schemas.js';
import { defineRoute } from '../definition/route-contract.js';

/** Balances below which an account gets an event `balance.low`. */
export const alertThresholds = {
  alert_thresholds: z.array(amount).readonly().nullable().describe('Balances in service tokens that were chosen for the account, highest first: below each there is an event `balance.low`. `null`: the operator’s default.'),
  alert_thresholds_in_force: z.array(amount).readonly().describe('Balances in service tokens below which there is an event `balance.low`, highest first.'),
};

/** Replaces all chosen thresholds; `null` chooses the operator's default. */
export const chosenAlertThresholds = z.array(serviceTokens).min(1).max(MAX_ALERT_THRESHOLDS).readonly().nullable();

const mails = z.strictObject({
  balance_low: z.boolean().describe('When the balance falls below a threshold.'),
  balance_exhausted: z.boolean().describe('When the balance falls below what a request needs.'),
  key_limit_reached: z.boolean().describe('When the rest of a key’s spending limit is too small for a request.'),
  account_cap_reached: z.boolean().describe('When the daily or monthly token cap of the plan refuses a request.'),
  webhook_disabled: z.boolean().describe('When a webhook was disabled because it failed for five days or answered 410; of operators, also one of the operators.'),
  credit_expiring: z.boolean().describe('14 and 3 days before a credit expires.'),
});

const notifications = z.strictObject({
  object: z.literal('notifications').describe('The kind of object.'),
  mails: mails.describe('Which messages about events the owner gets by mail.'),
  ...alertThresholds,
});

export const notificationRoutes = {
  notifications: defineRoute({
    method: 'get', path: '/notifications', access: 'owner', summary: 'Which alerts the owner gets by mail, and the thresholds of a low balance.', reply: notifications,
  }),
  changeNotifications: defineRoute({
    method: 'put', path: '/notifications', access: 'owner', summary: 'Sets which alerts the owner gets by mail, and the thresholds of a low balance.',
    body: z.strictObject({
      mails: mails.describe('Which messages about events the owner gets by mail.'),
      alert_thresholds: chosenAlertThresholds.describe('One to three balances in service tokens; `null` for the operator’s default.'),
    }),
    reply: notifications,
  }),
} as const;
