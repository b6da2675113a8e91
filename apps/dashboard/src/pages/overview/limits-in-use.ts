import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { shareOf } from '../../format/geometry';

type Account = Reply<'account'>;

interface LimitInUse {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  /** Seconds until the reset of a limit per minute; otherwise `null`. */
  readonly resetsIn: number | null;
}

/** `limit` is `null` if the plan does not have this limit. */
type Limit = Omit<LimitInUse, 'limit'> & { readonly limit: number | null };

/** The plan's limits, the fullest first. Limits that the plan does not have are omitted. */
export function limitsInUse({ limits, used }: Pick<Account, 'limits' | 'used'>): readonly LimitInUse[] {
  const minute = used.requests_this_minute > 0 || used.tokens_this_minute > 0 ? used.minute_resets_in_seconds : null;
  const all: readonly Limit[] = [
    { label: texts.requestsPerMinute, used: used.requests_this_minute, limit: limits.requests_per_minute, resetsIn: minute },
    { label: texts.tokensPerMinute, used: used.tokens_this_minute, limit: limits.tokens_per_minute, resetsIn: minute },
    { label: texts.tokensPerDay, used: used.tokens_today, limit: limits.tokens_per_day, resetsIn: null },
    { label: texts.tokensPerMonth, used: used.tokens_this_month, limit: limits.tokens_per_month, resetsIn: null },
    { label: texts.keys, used: used.api_keys, limit: limits.api_keys, resetsIn: null },
  ];
  const limited = all.filter((one): one is LimitInUse => one.limit !== null);
  return limited.toSorted((a, b) => shareOf(b.used, b.limit) - shareOf(a.used, a.limit));
}

/** Names the token caps that the plan lacks; `null` if it has both. */
export function uncapped({ tokens_per_day: day, tokens_per_month: month }: Account['limits']): string | null {
  if (day === null) return month === null ? texts.noCap.both : texts.noCap.day;
  return month === null ? texts.noCap.month : null;
}
