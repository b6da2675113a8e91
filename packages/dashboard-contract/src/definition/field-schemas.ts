import { z } from 'zod';

/** Texts that people type are bounded, and control characters refused. */
export function text(maximum: number): z.ZodType<string, string> {
  return z.string().max(maximum).refine((value) => !/\p{Cc}/u.test(value), 'must have no control characters');
}

/** As `text`, and not blank. */
export function label(maximum: number): z.ZodType<string, string> {
  return text(maximum).transform((value) => value.trim()).refine((value) => value !== '', 'must not be empty');
}

/** A name of an account, a person, a key, a passkey or a machine: the core's `MAX_DISPLAY_NAME`. */
export const displayName = label(200);

/** The core checks whether it is an address. */
export const email = text(254);
/** Bounded here; the core checks the rules. */
export const password = z.string().max(1024);
export const token = z.string().max(100);

/** An id as the gateway writes it: `key_…`, `acct_…`, `req_…`. */
export const id = z.string().regex(/^[a-z]+_[A-Za-z0-9_-]{1,64}$/, 'must be an id');
/** RFC 3339, in UTC. */
export const instant = z.iso.datetime({ offset: true });
/** An exact amount of service tokens or US dollars. */
export const amount = z.string().regex(/^-?\d{1,13}(\.\d{1,18})?$/, 'must be a decimal number');
/** Amount of a booking or a limit: positive service tokens with at most six decimal places. */
export const serviceTokens = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be a number with at most six decimal places')
  .refine((value) => /[1-9]/.test(value), 'must be more than zero');
/** As `serviceTokens`, or below zero. */
export const signedServiceTokens = z.string().regex(/^-?\d{1,12}(\.\d{1,6})?$/, 'must be a number with at most six decimal places')
  .refine((value) => /[1-9]/.test(value), 'must not be zero');

/** A field of the same schema for each name. */
export function fieldsOf<Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: Schema): Readonly<Record<Name, Schema>> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** An amount in both currencies. */
export const bothCurrencies = z.strictObject({ svc_tokens: amount.describe('In service tokens.'), usd: amount.describe('In US dollars, at the rate of the catalogue.') })
  .meta({ id: 'Amount', description: 'An exact amount in both currencies, as decimal strings.' });

/** A list, or one page of it. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ object: z.literal('list').describe('The kind of object.'), data: z.array(item).readonly().describe('The items of this page.'), has_more: z.boolean().describe('Whether there is a next page.'), next_cursor: z.string().nullable().optional().describe('The `cursor` of the next page; `null` or missing on the last one.') });
}

/** A page of a list that programs read to its end. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ next_cursor: z.string().nullable().describe('The `cursor` of the next page; `null` on the last one.') });
}

export const cursor = z.string().max(200).optional();
