import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { common } from '#texts/common';
import { accountFilters as texts } from '#texts/account-list';
import { useRoute } from '../../../api/use-route';
import { amountFault } from '../../../components/amount-fault';
import { AmountInput } from '../../../components/amount-input';
import { FilterIcon } from '../../../components/icons';
import { SearchBox } from '../../../components/search-box';
import { useNarrow } from '../../../components/use-narrow';
import { type AccountsSearch, filtersIn, SORTS, STANDINGS, USE_NAMES } from './account-filters';
import classes from './accounts-page.module.css';

interface FilterProps {
  readonly search: AccountsSearch;
  readonly onChange: (search: AccountsSearch) => void;
}

/** Applies the amount on Enter, or when the focus leaves both the amount and its unit. */
function BelowFilter({ value = '', onChange }: { readonly value: string | undefined; readonly onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const typed = text.trim();
  const apply = () => { if (typed !== value && (typed === '' || amountFault(typed) === null)) onChange(typed); };
  return (
    <div className={classes['amount']} onBlur={({ currentTarget, relatedTarget }) => { if (!currentTarget.contains(relatedTarget)) apply(); }}>
      <AmountInput label={texts.below} unit="usd" value={text} onChange={setText} onKeyDown={({ key }) => { if (key === 'Enter') apply(); }} />
    </div>
  );
}

function Filters({ search, onChange }: FilterProps) {
  const plans = useRoute('listPlans', {}).data?.data ?? [];
  const set = (name: keyof AccountsSearch) => (value: string | null) => {
    const { [name]: _before, ...others } = search;
    onChange(value === null || value === '' ? others : { ...others, [name]: value });
  };
  const { plan = null, standing = null, used = null, sort = 'created', below } = search;
  return (
    <>
      <Select label={texts.plan} placeholder={texts.any} data={plans.map(({ id, name }) => ({ value: id, label: name }))} value={plan} clearable onChange={set('plan')} />
      <Select label={texts.standing} placeholder={texts.any} data={STANDINGS.map((value) => ({ value, label: common.states[value] ?? value }))} value={standing} clearable onChange={set('standing')} />
      <Select label={texts.use} placeholder={texts.any} data={USE_NAMES.map((value) => ({ value, label: texts.uses[value] ?? value }))} value={used} clearable onChange={set('used')} />
      <Select label={texts.sort} data={SORTS.map((value) => ({ value, label: texts.sorts[value] }))} value={sort} allowDeselect={false} onChange={(value) => set('sort')(value === 'created' ? null : value)} />
      <BelowFilter key={below} value={below} onChange={set('below')} />
    </>
  );
}

/** All but the search are behind a button in narrow windows. */
export function AccountFilterBar({ search, onChange }: FilterProps) {
  const narrow = useNarrow();
  const [opened, setOpened] = useState(false);
  const { q = '', ...others } = search;
  const given = filtersIn(search);
  return (
    <>
      <div className={classes['search']}><SearchBox label={texts.search} placeholder={texts.searchHint} value={q} onSearch={(text) => onChange(text === '' ? others : { ...others, q: text })} /></div>
      {narrow && <Button variant="default" leftSection={<FilterIcon />} aria-expanded={opened} onClick={() => setOpened(!opened)}>{texts.filters(given)}</Button>}
      {(!narrow || opened) && <div className={classes['filters']}><Filters search={search} onChange={onChange} /></div>}
    </>
  );
}
