import { z } from 'zod';

// Functions check these rules; the OpenAPI document states them as patterns. `field-schemas.test.ts` compares both.
const NOT_CONTROL = String.raw`[^\u0000-\u001F\u007F-\u009F]`;
/** Metadata of a text that must not be blank. */
export const NOT_BLANK = { minLength: 1, pattern: String.raw`^ *[^ \u0000-\u001F\u007F-\u009F]${NOT_CONTROL}*$` } as const;

/** Messages of the rules of these schemas, by the code of the problem. */
export const RULES = {
  control_characters: 'must have no control characters',
  empty: 'must not be empty',
  not_an_id: 'must be an id',
  not_a_number: 'must be a decimal number',
  not_an_amount: 'must be a number with at most six decimal places',
  not_above_zero: 'must be more than zero',
  zero: 'must not be zero',
} as const;

/** A text that people type, of at most `maximum` characters and without control characters. */
export function text(maximum: number): z.ZodType<string, string> {
  return z.string().max(maximum).refine((value) => !/\p{Cc}/u.test(value), RULES.control_characters).meta({ pattern: `^${NOT_CONTROL}*$` });
}

/** Like `text`, but trimmed, and refused if blank. */
export function label(maximum: number): z.ZodType<string, string> {
  return text(maximum).transform((value) => value.trim()).refine((value) => value !== '', RULES.empty).meta(NOT_BLANK);
}

/** A change: `shape` has optional fields only, and at least one must be present. */
export function changeOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).refine((change) => Object.keys(change).length > 0, 'must name at least one field').meta({ minProperties: 1 });
}

/** A name of an account, a person, a key, a passkey, a machine or a batch of vouchers; its maximum is the core's `MAX_DISPLAY_NAME`. */
export const displayName = label(200);

const EMAIL = String.raw`^[^ @\u0000-\u001F\u007F-\u009F]+@[^ @\u0000-\u001F\u007F-\u009F]+$`;
/** The core checks whether the text is an address. */
export const email = text(254).meta({ pattern: EMAIL });
/** This schema only bounds the length; the core checks the rules for passwords. */
export const password = z.string().max(1024);
export const token = z.string().max(100);

/** An id as the gateway writes it: `key_…`, `acct_…`, `req_…`. */
export const id = z.string().regex(/^[a-z]+_[A-Za-z0-9_-]{1,64}$/, RULES.not_an_id);
/** An instant by RFC 3339; the gateway writes it in UTC. */
export const instant = z.iso.datetime({ offset: true });
/** A day in UTC: `2026-11-22`. */
export const utcDay = z.iso.date();
/** An exact amount of service tokens or US dollars. */
export const amount = z.string().regex(/^-?\d{1,13}(\.\d{1,18})?$/, RULES.not_a_number);
/** Amount of a booking or a limit: positive service tokens with at most six decimal places. */
export const serviceTokens = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, RULES.not_an_amount)
  .refine((value) => /[1-9]/.test(value), RULES.not_above_zero).meta({ pattern: String.raw`^(?=.*[1-9])\d{1,12}(\.\d{1,6})?$` });
/** Like `serviceTokens`, but may be negative. */
export const signedServiceTokens = z.string().regex(/^-?\d{1,12}(\.\d{1,6})?$/, RULES.not_an_amount)
  .refine((value) => /[1-9]/.test(value), RULES.zero).meta({ pattern: String.raw`^(?=.*[1-9])-?\d{1,12}(\.\d{1,6})?$` });

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

/** Like `listOf`; states that the last page has no `next_cursor`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ next_cursor: z.string().nullable().describe('The `cursor` of the next page; `null` on the last one.') });
}

export const cursor = z.string().max(200).optional();
