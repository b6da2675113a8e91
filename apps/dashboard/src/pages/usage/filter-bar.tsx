import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { usage } from '#texts/usage';
import { Dialog } from '../../components/dialog';
import { FilterIcon } from '../../components/icons';
import { PeriodPicker } from '../../components/period-picker';
import { useNarrow } from '../../components/use-narrow';
import { FilterFields } from './filter-fields';
import type { Choice } from '../models/model-choices';
import { NO_FILTERS, filterCount, filtersOf, periodOf, type Scope, type UsageSearch } from './usage-search';
import classes from './usage.module.css';

interface FilterBarProps {
  readonly scope: Scope;
  readonly search: UsageSearch;
  readonly today: string;
  readonly models: readonly Choice[];
  readonly keyName: (id: string) => string;
  readonly onSearch: (change: UsageSearch) => void;
}

const texts = usage.filters;

/** Filters are in a sheet in narrow windows. */
export function FilterBar({ scope, search, today, models, keyName, onSearch }: FilterBarProps) {
  const narrow = useNarrow();
  const [opened, { open, close }] = useDisclosure(false);
  const count = filterCount(search);
  const fields = <FilterFields {...{ scope, models, keyName }} filters={filtersOf(search)} onFilter={onSearch} />;
  const clear = count > 0 && <Button variant="subtle" onClick={() => onSearch(NO_FILTERS)}>{texts.clear}</Button>;
  return (
    <search className={classes['filters']} aria-label={texts.title}>
      <PeriodPicker value={periodOf(search, today)} today={today} onChange={({ first, last }) => onSearch({ start: first, end: last })} />
      {!narrow && fields}
      {!narrow && clear}
      {narrow && <Button variant="default" leftSection={<FilterIcon />} onClick={open}>{texts.count(count)}</Button>}
      <Dialog opened={narrow && opened} onClose={close} title={texts.title}>
        {fields}
        <Button onClick={close}>{texts.done}</Button>
        {clear}
      </Dialog>
    </search>
  );
}
