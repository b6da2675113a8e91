import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, type ReactNode } from 'react';
import { usage } from '#texts/usage';
import { Card } from '../../components/card';
import { EmptyState } from '../../components/empty-state';
import { DownloadIcon } from '../../components/icons';
import { JumpToTime } from '../../components/jump-to-time';
import type { LongList } from '../../components/long-list';
import { LongTable } from '../../components/long-table';
import { Page } from '../../components/page';
import { lastDays } from '../../format/period';
import { ExportDialog, type ExportFormat } from './export-dialog';
import { FilterBar } from './filter-bar';
import type { Choice } from './names';
import { UsageCard, usageColumns } from './usage-columns';
import type { UsageRow, UsageSums as Sums } from './usage-rows';
import { NO_FILTERS, changed, filterCount, jumpOf, sumGap, type Scope, type UsageSearch } from './usage-search';
import { UsageSums } from './usage-sums';
import classes from './usage.module.css';

export interface UsageScreenProps {
  readonly scope: Scope;
  readonly search: UsageSearch;
  readonly today: string;
  readonly list: LongList<UsageRow>;
  readonly sums: UseQueryResult<Sums>;
  readonly models: readonly Choice[];
  readonly keys: readonly Choice[];
  readonly keyName: (id: string) => string;
  readonly go: (search: UsageSearch) => void;
  readonly onOpen: (requestId: string) => void;
  readonly exportAddress: (format: ExportFormat) => string;
  /** The way from a page without requests to some. */
  readonly snippets?: ReactNode;
  /** The open record. */
  readonly children: ReactNode;
}

const CARD_HEIGHT = 92;
const idOf = ({ request_id: id }: UsageRow) => id;
const texts = usage.records;

/** The requests of a period: what they were charged together, by day, and each. */
export function UsageScreen({ scope, search, today, list, sums, models, keys, keyName, go, onOpen, exportAddress, snippets, children }: UsageScreenProps) {
  const [exporting, { open, close }] = useDisclosure(false);
  const onSearch = (change: UsageSearch) => go(changed(search, change));
  const columns = useMemo(() => usageColumns({ scope, keyName }), [scope, keyName]);
  const card = useCallback((row: UsageRow) => <UsageCard {...{ row, scope, keyName }} />, [scope, keyName]);
  const isFiltered = filterCount(search) > 0;
  const hasTotal = sumGap(search, scope) === null && search.user === undefined;
  const month = lastDays(30, today);
  const empty = (
    <EmptyState title={isFiltered ? texts.emptyFiltered : texts.empty} action={(
      <div className={classes['actions']}>
        <Button variant="default" onClick={() => onSearch({ start: month.first, end: month.last })}>{texts.last30}</Button>
        {isFiltered ? <Button variant="default" onClick={() => onSearch(NO_FILTERS)}>{usage.filters.clear}</Button> : snippets}
      </div>
    )} />
  );
  return (
    <Page title={scope === 'own' ? usage.title : usage.allTitle} help={scope === 'own' ? usage.help : usage.allHelp} action={<Button leftSection={<DownloadIcon />} onClick={open}>{usage.export.action}</Button>}>
      <FilterBar {...{ scope, search, today, models, keys, onSearch }} />
      <UsageSums query={sums} {...{ scope, search, today, onSearch, keyName }} />
      <Card title={texts.title}>
        <LongTable
          label={texts.title} list={list} columns={columns} idOf={idOf} opened={search.record} onOpen={({ request_id: id }) => onOpen(id)}
          card={card} cardHeight={CARD_HEIGHT} empty={empty}
          foot={<JumpToTime at={jumpOf(search)} onJump={(at) => go(at === null ? changed(search, {}) : { ...changed(search, {}), at })} />}
        />
      </Card>
      <ExportDialog opened={exporting} onClose={close} search={search} today={today} total={hasTotal ? sums.data?.total ?? null : null} addressOf={exportAddress} />
      {children}
    </Page>
  );
}
