import type { MoneyAct } from '../billing/money-act.js';
import { expiryReferenceOf } from '../billing/reserved-references.js';
import { SYSTEM_ACTOR } from '../platform/actor.js';
import type { AccountId } from '../primitives/ids.js';
import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR } from '../primitives/time.js';
import type { CreditLeft } from './credits-left.js';

/** Days before the expiry of a credit at which its owner is notified. */
export const CREDIT_NOTICE_DAYS = [14, 3] as const;
export type CreditNoticeDays = (typeof CREDIT_NOTICE_DAYS)[number];

/** Maximum credits in one response; an account rarely has more than a few. */
export const MAX_LISTED_CREDITS = 100;

/** Check interval while running requests hold a part of an expired credit. */
const HELD_CHECK_MILLISECONDS = MILLISECONDS_PER_HOUR;
/** Longest check interval, so that each derivation continues from a recent snapshot. */
const LONGEST_CHECK_MILLISECONDS = MILLISECONDS_PER_DAY;

interface ExpiryOf {
  readonly accountId: AccountId;
  readonly credit: CreditLeft;
  /** Number of the account's newest ledger entry. */
  readonly through: bigint;
  readonly at: Instant;
}

/** Takes what is left of an expired credit. */
export function expiryActOf({ accountId, credit, through, at }: ExpiryOf): MoneyAct {
  return { kind: 'expiry', accountId, amount: credit.left, reference: expiryReferenceOf({ credit: credit.entry, through }), reason: null, actor: SYSTEM_ACTOR, at };
}

/** The latest notice whose time has come; `null` before the first notice, after the expiry, and for a credit that does not expire. */
export function creditNoticeOf({ expiresAt }: Pick<CreditLeft, 'expiresAt'>, at: Instant): CreditNoticeDays | null {
  if (expiresAt === null || expiresAt <= at) return null;
  return CREDIT_NOTICE_DAYS.findLast((days) => later(expiresAt, -days * MILLISECONDS_PER_DAY) <= at) ?? null;
}

/** Time of the account's next check; `null` if none of its credits expires. */
export function nextCreditCheck(credits: readonly CreditLeft[], at: Instant): Instant | null {
  const times = credits.flatMap(({ expiresAt }) => (expiresAt === null ? [] : checksOf(expiresAt, at)));
  return times.length === 0 ? null : times.reduce((one, other) => (one < other ? one : other), later(at, LONGEST_CHECK_MILLISECONDS));
}

function checksOf(expiresAt: Instant, at: Instant): readonly Instant[] {
  if (expiresAt <= at) return [later(at, HELD_CHECK_MILLISECONDS)];
  return [expiresAt, ...CREDIT_NOTICE_DAYS.map((days) => later(expiresAt, -days * MILLISECONDS_PER_DAY)).filter((notice) => notice > at)];
}
