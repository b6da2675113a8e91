import type { Reply } from '../../api/call';
import { decimalSum } from '../../format/decimal';
import type { Period } from '../../format/period';

type Both = Reply<'overview'>['spend']['today'];

const NOTHING: Both = { svc_tokens: '0', usd: '0' };

function plus(first: Both, second: Both): Both {
  return { svc_tokens: decimalSum([first.svc_tokens, second.svc_tokens]), usd: decimalSum([first.usd, second.usd]) };
}

/** Exact sums of all models, by day. */
export function daySums(days: Pick<Reply<'overview'>, 'days'>['days']): ReadonlyMap<string, Both> {
  const sums = new Map<string, Both>();
  for (const { day, charged } of days) sums.set(day, plus(sums.get(day) ?? NOTHING, charged));
  return sums;
}

export function sumOfDays(sums: ReadonlyMap<string, Both>, { first, last }: Period): Both {
  return [...sums].reduce((sum, [day, charged]) => (day >= first && day <= last ? plus(sum, charged) : sum), NOTHING);
}
