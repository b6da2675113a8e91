import type { Reply } from '../../../api/call';
import { decimalSum } from '../../../format/decimal';
import type { Period } from '../../../format/period';

type Bucket = Pick<Reply<'allUsageSummary'>['data'][number], 'period' | 'svc_tokens_debited' | 'svc_cost_usd' | 'requests'>;

/** Exact charges, and the number of requests. */
export interface Figures {
  readonly tokens: string;
  readonly usd: string;
  readonly requests: number;
}

/** Adds up the days of a period. */
export function figuresIn(days: readonly Bucket[], { first, last }: Period): Figures {
  const within = days.filter(({ period }) => period !== null && period >= first && period <= last);
  return {
    tokens: decimalSum(within.map((day) => day.svc_tokens_debited)), usd: decimalSum(within.map((day) => day.svc_cost_usd)),
    requests: within.reduce((sum, { requests }) => sum + requests, 0),
  };
}
