import { audit } from '#texts/audit';
import { billing } from '#texts/billing';
import { tokenWord } from '../../../brand/token-word';
import { exactAmount } from '../../../format/amount';
import { shortInstant } from '../../../format/instant';

interface Described {
  readonly details: Readonly<Record<string, unknown>>;
  readonly texts: Readonly<Record<string, string>>;
}

function nameOf(field: string): string {
  return audit.fields[field] ?? field;
}

const AMOUNT = /^-?\d+(\.\d+)?$/;

/** Times in details are milliseconds. */
function valueOf(field: string, value: unknown): string {
  if (typeof value === 'number' && field.endsWith('At')) return shortInstant(new Date(value).toISOString());
  if (typeof value === 'boolean') return value ? audit.yes : audit.no;
  if (Array.isArray(value)) return value.length === 0 ? audit.noneOfList : value.map((one) => valueOf('', one)).join(', ');
  if (typeof value === 'object' && value !== null) return listed(value).map(([name, text]) => `${name}: ${text}`).join(', ');
  if (typeof value === 'string') return field === 'kind' ? billing.kinds[value] ?? value : value;
  return JSON.stringify(value);
}

/** True for amounts of bookings, which have a kind and a reference. Other amounts are in the currency of a payment. */
function isInTokens(details: object, field: string): boolean {
  return field === 'amount' && 'kind' in details && 'reference' in details;
}

function tokensOf(value: unknown): string {
  return typeof value === 'string' && AMOUNT.test(value) ? `${exactAmount(value)} ${tokenWord}` : valueOf('', value);
}

function listed(details: object): readonly (readonly [name: string, value: string])[] {
  const given = Object.entries(details).filter(([, value]) => value !== null && value !== undefined);
  return given.map(([field, value]) => [nameOf(field), isInTokens(details, field) ? tokensOf(value) : valueOf(field, value)] as const);
}

/** Names and values in words: texts first, then details. Empty details are omitted. */
export function detailsOf({ details, texts }: Described): readonly (readonly [name: string, value: string])[] {
  return [...Object.entries(texts).map(([field, text]) => [nameOf(field), text] as const), ...listed(details)];
}

export function detailsLine(entry: Described): string {
  return detailsOf(entry).map(([name, value]) => `${name}: ${value}`).join(' · ');
}
