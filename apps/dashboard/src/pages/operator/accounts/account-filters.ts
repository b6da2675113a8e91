import type { Input } from '../../../api/call';
import { typedAmount } from '../../../format/amount';
import { amountFault } from '../../../components/amount-fault';
import { addDays } from '../../../format/day';

/** Filters as in the URL. */
export interface AccountsSearch {
  readonly q?: string;
  readonly plan?: string;
  readonly standing?: string;
  /** Available balance below this number of service tokens. */
  readonly below?: string;
  readonly used?: string;
  readonly sort?: string;
}

type Query = NonNullable<Input<'listAccounts'>['query']>;
type Standing = NonNullable<Query['standing']>;
type Sort = NonNullable<Query['sort']>;

export const STANDINGS = ['good', 'email-unverified', 'suspended', 'blocked', 'pending-deletion', 'deleted'] as const satisfies readonly Standing[];
export const SORTS = ['created', '-created', 'email', '-email', '-available', 'available', '-last_used', 'last_used'] as const satisfies readonly Sort[];

/** Choices of the filter by use: a number of days, including today, with or without a request. */
const USES: Readonly<Record<string, { readonly of: 'used_since' | 'unused_since'; readonly days: number }>> = {
  'used-7': { of: 'used_since', days: 7 }, 'used-30': { of: 'used_since', days: 30 }, 'unused-30': { of: 'unused_since', days: 30 }, 'unused-90': { of: 'unused_since', days: 90 },
};
export const USE_NAMES: readonly string[] = Object.keys(USES);

function usedQuery(used: string | undefined, today: string): Query {
  const use = USES[used ?? ''];
  return use === undefined ? {} : { [use.of]: addDays(today, 1 - use.days) };
}

/** Ignores invalid values, so that a mistyped URL still shows accounts. */
export function accountsQuery({ q, plan, standing, below, used, sort }: AccountsSearch, today: string): Query {
  const [known, order] = [STANDINGS.find((name) => name === standing), SORTS.find((name) => name === sort)];
  const amount = below === undefined || amountFault(below) !== null ? null : typedAmount(below);
  return {
    ...(q === undefined ? {} : { q }),
    ...(plan === undefined ? {} : { plan }),
    ...(known === undefined ? {} : { standing: known }),
    ...(amount === null ? {} : { available_below: amount }),
    ...usedQuery(used, today),
    ...(order === undefined || order === 'created' ? {} : { sort: order }),
  };
}

/** Number of filters; the text and the order do not count. */
export function filtersIn({ q: _text, sort: _sort, ...filters }: AccountsSearch): number {
  return Object.values(filters).filter((value) => value !== undefined && value !== '').length;
}
