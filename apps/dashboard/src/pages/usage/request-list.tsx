import { Button } from '@mantine/core';
import { useCallback, useMemo, type ReactNode } from 'react';
import { usage } from '#texts/usage';
import { Card } from '../../components/card';
import { EmptyState } from '../../components/empty-state';
import { JumpToTime } from '../../components/jump-to-time';
import type { LongList } from '../../components/long-list';
import { LongTable } from '../../components/long-table';
import { lastDays } from '../../format/period';
import { UsageCard, usageColumns } from './usage-columns';
import type { UsageRow } from './usage-rows';
import { changed, filterCount, jumpOf, NO_FILTERS, type Scope, type UsageSearch } from './usage-search';
import classes from './usage.module.css';

export interface RequestListProps {
  readonly scope: Scope;
  readonly search: UsageSearch;
  readonly today: string;
  readonly list: LongList<UsageRow>;
  readonly keyName: (id: string) => string;
  readonly go: (search: UsageSearch) => void;
  readonly onOpen: (requestId: string) => void;
  /** Shown if there are no requests. */
  readonly snippets?: ReactNode;
}

const CARD_HEIGHT = 92;
const EMPTY_OFFER_DAYS = 30;
const texts = usage.records;

function idOf({ request_id: id }: UsageRow): string {
  return id;
}

export function RequestList({ scope, search, today, list, keyName, go, onOpen, snippets }: RequestListProps) {
  const columns = useMemo(() => usageColumns({ scope, keyName }), [scope, keyName]);
  const card = useCallback((row: UsageRow) => <UsageCard {...{ row, scope, keyName }} />, [scope, keyName]);
  const isFiltered = filterCount(search) > 0;
  const month = lastDays(EMPTY_OFFER_DAYS, today);
  const actions = (
    <div className={classes['actions']}>
      <Button variant="default" onClick={() => go(changed(search, { start: month.first, end: month.last }))}>{texts.last30}</Button>
      {isFiltered ? <Button variant="default" onClick={() => go(changed(search, NO_FILTERS))}>{usage.filters.clear}</Button> : snippets}
    </div>
  );
  const jump = (at: string | null) => go(at === null ? changed(search, {}) : { ...changed(search, {}), at });
  return (
    <Card title={texts.title}>
      <LongTable
        label={texts.title} list={list} columns={columns} idOf={idOf} opened={search.record} onOpen={(row) => onOpen(idOf(row))} card={card} cardHeight={CARD_HEIGHT}
        empty={<EmptyState title={isFiltered ? texts.emptyFiltered : texts.empty} action={actions} />} foot={<JumpToTime at={jumpOf(search)} onJump={jump} />}
      />
    </Card>
  );
}
