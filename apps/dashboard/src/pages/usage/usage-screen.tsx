import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usage } from '#texts/usage';
import { DownloadIcon } from '../../components/icons';
import { Page } from '../../components/page';
import { ExportDialog, type ExportFormat } from './export-dialog';
import { FilterBar } from './filter-bar';
import type { Choice } from '../models/model-choices';
import type { UsageSums as Sums } from './usage-rows';
import { changed, sumGap, type Scope, type UsageSearch } from './usage-search';
import { UsageSums } from './usage-sums';

interface UsageScreenProps {
  readonly scope: Scope;
  readonly search: UsageSearch;
  readonly today: string;
  readonly sums: UseQueryResult<Sums>;
  /** The total of the preceding period of the same length; `undefined` until it is read. */
  readonly before: Sums['total'] | undefined;
  readonly models: readonly Choice[];
  readonly keyName: (id: string) => string;
  readonly go: (search: UsageSearch) => void;
  readonly exportAddress: (format: ExportFormat) => string;
  readonly requests: ReactNode;
}

export function UsageScreen({ scope, search, today, sums, before, models, keyName, go, exportAddress, requests }: UsageScreenProps) {
  const [exporting, { open, close }] = useDisclosure(false);
  const onSearch = (change: UsageSearch) => go(changed(search, change));
  const hasTotal = sumGap(search, { today, scope }) === null && search.user === undefined;
  return (
    <Page title={scope === 'own' ? usage.title : usage.allTitle} help={scope === 'own' ? usage.help : usage.allHelp} action={<Button variant="default" leftSection={<DownloadIcon />} onClick={open}>{usage.export.action}</Button>}>
      <FilterBar {...{ scope, search, today, models, keyName, onSearch }} />
      <UsageSums query={sums} {...{ before, scope, search, today, onSearch, keyName }} />
      {requests}
      <ExportDialog opened={exporting} onClose={close} search={search} today={today} total={hasTotal ? sums.data?.total ?? null : null} addressOf={exportAddress} />
    </Page>
  );
}
