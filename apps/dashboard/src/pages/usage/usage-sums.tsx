import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { memo } from 'react';
import { usage } from '#texts/usage';
import { Card } from '../../components/card';
import { Note } from '../../components/note';
import { Part } from '../../components/part';
import { shortInstant } from '../../format/instant';
import { lastDays } from '../../format/period';
import { dividedBy, isSameExtent, MAX_SUMMED_DAYS, periodOf, sumGap, unsummedFilters, type FilterName, type Scope, type UsageSearch } from './usage-search';
import { UserSums } from './user-sums';
import { SumsChart } from './sums-chart';
import { Totals } from './usage-totals';
import type { UsageSums as Sums } from './usage-rows';
import classes from './usage.module.css';

export interface SumsProps {
  readonly scope: Scope;
  readonly search: UsageSearch;
  readonly today: string;
  readonly before: Sums['total'] | undefined;
  readonly onSearch: (change: UsageSearch) => void;
  readonly keyName: (id: string) => string;
}

const texts = usage.sums;
const SUMS_HEIGHT = 440;
const NAMES: Readonly<Record<FilterName, string>> = {
  account: usage.filters.account, model: usage.filters.model, key_id: usage.filters.key, user: usage.filters.user, end_reason: usage.filters.ending, min_charge: usage.filters.minCharge,
};

export function UsageSums({ query, ...props }: SumsProps & { readonly query: UseQueryResult<Sums> }) {
  if (sumGap(props.search, props) !== null) return <GapNote {...props} />;
  return <Part query={query} height={SUMS_HEIGHT}>{(sums) => <SumsCards sums={sums} {...props} />}</Part>;
}

/** Says why there are no sums, and offers those that exist. */
function GapNote({ scope, search, today, onSearch }: SumsProps) {
  const gap = sumGap(search, { today, scope });
  if (gap === 'period') {
    const { first, last } = lastDays(MAX_SUMMED_DAYS, periodOf(search, today).last);
    return <Note kind="info" action={<Button size="xs" variant="default" onClick={() => onSearch({ start: first, end: last })}>{texts.shorten(MAX_SUMMED_DAYS)}</Button>}>{texts.tooLong(MAX_SUMMED_DAYS)}</Note>;
  }
  if (gap === 'account') return <Note kind="info">{texts.accountOnly}</Note>;
  if (gap === 'filters') {
    const names = unsummedFilters(search);
    const without = Object.fromEntries(names.map((name) => [name, undefined])) as UsageSearch;
    return (
      <Note kind="info" action={<Button size="xs" variant="default" onClick={() => onSearch(without)}>{texts.removeThem}</Button>}>
        {texts.notForFilters(names.map((name) => NAMES[name].toLowerCase()).join(', '))}
      </Note>
    );
  }
  if (gap === 'model') return <Note kind="info" action={<Button size="xs" variant="default" onClick={() => onSearch({ group: 'model' })}>{texts.groupByModel}</Button>}>{texts.modelOrAccount}</Note>;
  const action: UsageSearch = search.user === undefined ? { group: 'model' } : { user: undefined };
  return (
    <Note kind="info" action={<Button size="xs" variant="default" onClick={() => onSearch(action)}>{search.user === undefined ? texts.groupByModel : texts.removeThem}</Button>}>
      {texts.notByUser}
    </Note>
  );
}

function PlainSumsCards({ sums, ...props }: SumsProps & { readonly sums: Sums }) {
  const { search, today } = props;
  const group = dividedBy(sums.group_by);
  const isByUser = group === 'user';
  const total = search.user === undefined || !isByUser ? sums.total : sums.data.find((bucket) => bucket.group === search.user && !bucket.is_other);
  if (total === undefined) return <Note kind="info">{sums.data.some(({ is_other: isOther }) => isOther) ? texts.userGone : usage.records.emptyFiltered}</Note>;
  return (
    <>
      <Card label={texts.title}>
        <Totals total={total} sums={sums} {...props} />
        {sums.as_of !== null && <p className={classes['help']}>{texts.asOf(shortInstant(sums.as_of))}</p>}
      </Card>
      {isByUser && search.user === undefined && <UserSums sums={sums} {...props} />}
      {!isByUser && search.user === undefined && <SumsChart sums={sums} group={group} period={periodOf(search, today)} {...props} />}
    </>
  );
}

/** Memoised: the chart takes longer to render than the rest of the page. */
const SumsCards = memo(PlainSumsCards, (before, after) => (
  before.sums === after.sums && before.scope === after.scope && before.today === after.today && before.keyName === after.keyName && before.before === after.before && isSameExtent(before.search, after.search)
));
