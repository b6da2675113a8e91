import { Select, TextInput } from '@mantine/core';
import { lazy, Suspense, useState, type KeyboardEvent } from 'react';
import { common } from '#texts/common';
import { usage } from '#texts/usage';
import { typedAmount } from '../../format/amount';
import type { Choice } from '../models/model-choices';
import { modelFilter } from '../models/model-names';
import { useKeyChoices } from './names';
import type { Filters, Scope, UsageSearch } from './usage-search';
import classes from './usage.module.css';

interface FilterFieldsProps {
  readonly scope: Scope;
  readonly filters: Filters;
  readonly models: readonly Choice[];
  readonly keyName: (id: string) => string;
  readonly onFilter: (change: UsageSearch) => void;
}

/** Loaded lazily: owners do not need it. */
const AccountSelect = lazy(async () => ({ default: (await import('../../components/account-select')).AccountSelect }));
const texts = usage.filters;
const ENDINGS = Object.entries(usage.endings).map(([value, label]) => ({ value, label }));

/** Includes a chosen value that is not in the list. */
function withChosen(choices: readonly Choice[], chosen: string | undefined): Choice[] {
  return chosen === undefined || choices.some(({ value }) => value === chosen) ? [...choices] : [...choices, { value: chosen, label: chosen }];
}

interface TypedFilterProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  /** The filter for a typed text; `null` if it is invalid. */
  readonly read: (text: string) => string | null;
  readonly problem: string;
  readonly onValue: (value: string) => void;
}

/** Applies the typed text on Enter or blur. */
function TypedFilter({ label, placeholder, value = '', read, problem, onValue }: TypedFilterProps) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  const given = text.trim() === '' ? '' : read(text.trim());
  const apply = () => { if (given !== null && given !== value) onValue(given); };
  const onKeyDown = ({ key }: KeyboardEvent) => { if (key === 'Enter') apply(); };
  return (
    <TextInput
      aria-label={label} placeholder={placeholder} value={text} error={given === null ? problem : undefined} maxLength={1024}
      onChange={(event) => setText(event.currentTarget.value)} onBlur={apply} onKeyDown={onKeyDown}
    />
  );
}

const LISTS = { searchable: true, clearable: true, nothingFoundMessage: texts.noMatch, comboboxProps: { width: 'max-content' } as const, classNames: { dropdown: classes['list'] ?? '' } };

interface KeyFilterProps {
  readonly scope: Scope;
  /** Account whose keys operators search; `undefined` for all accounts. */
  readonly account: string | undefined;
  readonly value: string | undefined;
  readonly keyName: (id: string) => string;
  readonly onKey: (id: string | null) => void;
}

/** Offers the keys that the gateway finds, so that none is missing however many there are. */
function KeyFilter({ scope, account, value, keyName, onKey }: KeyFilterProps) {
  const [typed, setTyped] = useState('');
  const chosen = value === undefined ? null : { value, label: keyName(value) };
  const choices = useKeyChoices(typed === chosen?.label ? '' : typed, scope, account);
  const data = chosen === null || choices.some(({ value: id }) => id === chosen.value) ? [...choices] : [...choices, chosen];
  if (scope === 'own' && data.length === 0 && typed === '') return null;
  return <Select {...LISTS} aria-label={texts.key} placeholder={texts.allKeys} data={data} value={value ?? null} nothingFoundMessage={scope === 'all' && typed === '' ? texts.typeKey : texts.noMatch} filter={({ options }) => [...options]} onSearchChange={setTyped} onChange={onKey} />;
}

export function FilterFields({ scope, filters, models, keyName, onFilter }: FilterFieldsProps) {
  return (
    <>
      {scope === 'all' && (
        <Suspense fallback={<TextInput disabled aria-label={texts.account} placeholder={texts.allAccounts} />}>
          <AccountSelect aria-label={texts.account} comboboxProps={LISTS.comboboxProps} classNames={LISTS.classNames} value={filters.account} onAccount={(account) => onFilter({ account: account ?? '' })} />
        </Suspense>
      )}
      <Select {...LISTS} data-page-filter aria-label={texts.model} placeholder={texts.allModels} data={withChosen(models, filters.model)} filter={modelFilter} value={filters.model ?? null} onChange={(model) => onFilter({ model: model ?? '' })} />
      <KeyFilter scope={scope} account={filters.account} value={filters.key_id} keyName={keyName} onKey={(key) => onFilter({ key_id: key ?? '' })} />
      <TypedFilter label={texts.user} placeholder={texts.allUsers} value={filters.user} read={(text) => text} problem="" onValue={(user) => onFilter({ user })} />
      <Select {...LISTS} aria-label={texts.ending} placeholder={texts.allEndings} data={ENDINGS} value={filters.end_reason ?? null} onChange={(reason) => onFilter({ end_reason: reason ?? '' })} />
      <TypedFilter label={texts.minCharge} placeholder={texts.anyCharge} value={filters.min_charge} read={(text) => { const amount = typedAmount(text); return amount?.startsWith('-') === true ? null : amount; }} problem={common.amountInvalid} onValue={(charge) => onFilter({ min_charge: charge })} />
    </>
  );
}
