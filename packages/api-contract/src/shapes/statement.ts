import { CHARGE_KINDS, MONEY_ACT_KINDS } from '@tollgate/core';
import { z } from 'zod';
import { amount, id, instant } from '../definition/field-schemas.js';

const count = z.number().int().min(0);
const number = z.number().int().min(1).describe('Its number: from 1 without gaps, over all accounts.');
const day = z.string().describe('The UTC day of the booking.');
const signed = amount.describe('The change of the balance in service tokens; negative if it was lowered.');
export const statementMonth = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-03');

const heading = {
  number,
  account_id: id.describe('The account.'),
  month: statementMonth.describe('The UTC month.'),
  made_at: instant.describe('When it was made.'),
  opening_balance: amount.describe('In service tokens: the closing balance of the statement before, 0 without one.'),
  closing_balance: amount.describe('In service tokens: the opening balance and all totals.'),
};

export const statementSummary = z.strictObject({ object: z.literal('statement_summary').describe('The kind of object.'), ...heading });

const total = z.strictObject({
  kind: z.enum([...CHARGE_KINDS, ...MONEY_ACT_KINDS]).describe('The kind of entry.'),
  entries: count.describe('How many there are.'),
  svc_tokens: signed,
});

const charges = z.strictObject({
  day,
  model: z.string().nullable().describe('The model that served; `null` in the line of the day’s further models and keys.'),
  key_id: z.string().nullable().describe('The API key; `null` in the line of the day’s further models and keys.'),
  entries: count.describe('How many charges.'),
  svc_tokens: signed,
});

const entry = z.strictObject({
  entry: z.string().describe('Its number in the ledger.'),
  day,
  kind: z.enum(MONEY_ACT_KINDS).describe('The kind of entry.'),
  svc_tokens: signed,
  request_id: z.string().nullable().describe('The request of a refund.'),
});

const names = z.strictObject({
  account: z.strictObject({ name: z.string().describe('The name of the account when the statement was made.'), email: z.string().describe('Its address then.') }).describe('The account.'),
  keys: z.record(z.string(), z.string()).describe('Names of keys by id.'),
  references: z.record(z.string(), z.string()).describe('References by number of the entry.'),
});

/** A whole statement, as it is stored. */
export const statement = z.strictObject({
  object: z.literal('statement').describe('The kind of object.'),
  version: z.literal(1).describe('Of this form.'),
  ...heading,
  issuer: z.strictObject({
    name: z.string().nullable().describe('`OPERATOR_NAME`.'), address: z.string().nullable().describe('`OPERATOR_ADDRESS`.'), tax_number: z.string().nullable().describe('`OPERATOR_TAX_NUMBER`.'),
  }).describe('The operator when it was made.'),
  totals: z.array(total).readonly().describe('By kind of entry.'),
  charges: z.array(charges).readonly().describe('Charges by day, model and key; together the totals of charges.'),
  entries: z.array(entry).readonly().describe('Entries that are no charges, in the order of booking; at most 1,000.'),
  entries_not_listed: count.describe('Further such entries, which the totals include.'),
  names: names.nullable().describe('Names of account and keys, and references; `null` after the account is erased.'),
});
