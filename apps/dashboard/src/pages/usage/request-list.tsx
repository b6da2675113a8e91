import { Button } from '@mantine/core';
import { useCallback, useMemo, type ReactNode } from 'react';
import { usage } from '#texts/usage';
import { Card } from '../../components/card';
import { EmptyState } from '../../components/empty-state';
import { JumpToTime } from '../../components/jump-to-time';
import { CloseIcon } from '../../components/icons';
import { ButtonLink } from '../../components/link';
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
  /** Opens the record of the request in place, or its page in a narrow window. `undefined` closes the open record. */
  readonly onOpen: (requestId: string | undefined) => void;
  readonly record: (requestId: string) => ReactNode;
  /** Shown if there are no requests. */
  readonly snippets?: ReactNode;
}

/**
 * Maximum width of a window that shows requests as a list, in which a row opens the page of its record. In wider windows, the record opens in the
 * table.
 */
export const LIST_UP_TO = '57.5em';
const CARD_HEIGHT = 92;
const EMPTY_OFFER_DAYS = 30;
const texts = usage.records;

function idOf({ request_id: id }: UsageRow): string {
  return id;
}

export function RequestList({ scope, search, today, list, keyName, go, onOpen, record, snippets }: RequestListProps) {
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
  const { record: opened } = search;
  const contents = useCallback((requestId: string) => <OpenRecord scope={scope} requestId={requestId}>{record(requestId)}</OpenRecord>, [scope, record]);
  const isListed = opened !== undefined && list.data?.pages.some(({ data }) => data.some((row) => idOf(row) === opened)) === true;
  const close = () => onOpen(undefined);
  return (
    <>
    {opened !== undefined && list.data !== undefined && !isListed && <Card title={usage.record.title} aside={<Button size="xs" variant="default" leftSection={<CloseIcon />} onClick={close}>{usage.record.close}</Button>}>{contents(opened)}</Card>}
    <Card title={texts.title}>
      <LongTable
        name={`usage-${scope}`} cardsUpTo={LIST_UP_TO} detail={{ of: (row) => contents(idOf(row)), label: usage.record.title, onClose: close }}
        label={texts.title} list={list} columns={columns} idOf={idOf} opened={opened} onOpen={(row) => onOpen(idOf(row))} card={card} cardHeight={CARD_HEIGHT}
        empty={<EmptyState title={isFiltered ? texts.emptyFiltered : texts.empty} action={actions} />} foot={<JumpToTime at={jumpOf(search)} onJump={jump} />}
      />
    </Card>
    </>
  );
}

function OpenRecord({ scope, requestId, children }: { readonly scope: Scope; readonly requestId: string; readonly children: ReactNode }) {
  const page = { variant: 'default', size: 'xs', className: classes['page'] ?? '' } as const;
  return (
    <div className={classes['open']}>
      {children}
      {scope === 'own' ? <ButtonLink to="/usage/$requestId" params={{ requestId }} {...page}>{usage.record.page}</ButtonLink> : <ButtonLink to="/operator/usage/$requestId" params={{ requestId }} {...page}>{usage.record.page}</ButtonLink>}
    </div>
  );
}
