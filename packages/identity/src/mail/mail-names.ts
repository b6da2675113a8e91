/**
 * Placeholders that an operator's text for a message may contain, in addition to `COMMON_PLACEHOLDERS`. It must contain the required ones: without
 * them, the reader would not learn what the message is about.
 */
export const MAIL_PLACEHOLDERS = {
  'verify-address': { required: ['link'], optional: ['lifetime'] },
  'existing-account': { required: [], optional: ['link'] },
  'sign-in-link': { required: ['link'], optional: ['lifetime'] },
  'confirm-sign-in': { required: ['link'], optional: ['lifetime'] },
  invitation: { required: ['link'], optional: ['lifetime'] },
  'reset-password': { required: ['link'], optional: ['lifetime'] },
  'password-changed': { required: ['time'], optional: ['link'] },
  'confirm-change': { required: ['link', 'new_address'], optional: ['lifetime'] },
  'confirm-requested-change': { required: ['link', 'new_address'], optional: ['lifetime'] },
  'change-address': { required: ['link'], optional: ['lifetime'] },
  'address-changed': { required: ['event', 'time'], optional: ['link'] },
  'factor-changed': { required: ['event', 'time'], optional: ['link'] },
  'failed-sign-ins': { required: ['event', 'time'], optional: ['link'] },
  'deletion-scheduled': { required: ['due'], optional: ['link'] },
  'balance-low': { required: ['balance', 'threshold'], optional: ['credit', 'link', 'time'] },
  'balance-exhausted': { required: [], optional: ['balance', 'credit', 'link', 'threshold', 'time'] },
  'key-limit-reached': { required: ['keys'], optional: ['link', 'time'] },
  'cap-reached': { required: ['caps'], optional: ['link'] },
  'webhook-disabled': { required: ['webhooks'], optional: ['link'] },
  'credit-expiring': { required: ['credits'], optional: ['link'] },
  'refund-failed': { required: ['refunds'], optional: ['link'] },
  'top-up-declined': { required: [], optional: ['link', 'time'] },
  'top-up-authentication': { required: ['link'], optional: ['time'] },
  'top-up-stopped': { required: ['reason'], optional: ['link', 'time'] },
  'price-change': { required: ['day', 'prices'], optional: ['link'] },
  'model-shutdown': { required: ['day', 'model'], optional: ['link', 'successor'] },
  test: { required: [], optional: [] },
} as const satisfies Readonly<Record<string, { readonly required: readonly string[]; readonly optional: readonly string[] }>>;

export type MailName = keyof typeof MAIL_PLACEHOLDERS;
type PlaceholdersOf<Name extends MailName> = (typeof MAIL_PLACEHOLDERS)[Name]['required' | 'optional'][number];

/** Each text of an array becomes a paragraph. */
export type PlaceholderValue = string | readonly string[];
export type PlaceholderValues<Name extends MailName> = Readonly<Record<Exclude<PlaceholdersOf<Name>, 'link'>, PlaceholderValue>>;

export const MAIL_NAMES = Object.keys(MAIL_PLACEHOLDERS) as readonly MailName[];

/** Placeholders of every message. */
export const COMMON_PLACEHOLDERS = ['product', 'site', 'tokens'] as const;

/** Placeholders that must be alone in a paragraph: a button, or a list of any length. */
export const PARAGRAPH_PLACEHOLDERS: ReadonlySet<string> = new Set(['link', 'caps', 'credits', 'keys', 'prices', 'webhooks']);
