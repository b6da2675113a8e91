import { Select, TextInput } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { common } from '#texts/common';
import { usage } from '#texts/usage';
import { typedAmount } from '../../format/amount';
import type { Choice } from './names';
import type { Filters, Scope, UsageSearch } from './usage-search';

export interface FilterFieldsProps {
  readonly scope: Scope;
  readonly filters: Filters;
  readonly models: readonly Choice[];
  readonly keys: readonly Choice[];
  readonly onFilter: (change: UsageSearch) => void;
}

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
  /** `null` if invalid. */
  readonly read: (text: string) => string | null;
  readonly problem: string;
  readonly onValue: (value: string) => void;
}

/** Applies on Enter or blur. */
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

export function FilterFields({ scope, filters, models, keys, onFilter }: FilterFieldsProps) {
  const shared = { searchable: true, clearable: true, nothingFoundMessage: texts.noMatch, comboboxProps: { width: 'max-content' } as const };
  return (
    <>
      {scope === 'all' && (
        <TypedFilter label={texts.account} placeholder={texts.allAccounts} value={filters.account} read={(text) => (/^acct_[\w-]{1,64}$/.test(text) ? text : null)} problem={texts.accountInvalid} onValue={(account) => onFilter({ account })} />
      )}
      <Select {...shared} data-page-filter aria-label={texts.model} placeholder={texts.allModels} data={withChosen(models, filters.model)} value={filters.model ?? null} onChange={(model) => onFilter({ model: model ?? '' })} />
      {scope === 'all' && (
        <TypedFilter label={texts.key} placeholder={texts.allKeys} value={filters.key_id} read={(text) => (/^key_[\w-]{1,64}$/.test(text) ? text : null)} problem={texts.keyInvalid} onValue={(key) => onFilter({ key_id: key })} />
      )}
      {scope === 'own' && (keys.length > 0 || filters.key_id !== undefined)
        ? <Select {...shared} aria-label={texts.key} placeholder={texts.allKeys} data={withChosen(keys, filters.key_id)} value={filters.key_id ?? null} onChange={(key) => onFilter({ key_id: key ?? '' })} />
        : null}
      <TypedFilter label={texts.user} placeholder={texts.allUsers} value={filters.user} read={(text) => text} problem="" onValue={(user) => onFilter({ user })} />
      <Select {...shared} aria-label={texts.ending} placeholder={texts.allEndings} data={ENDINGS} value={filters.end_reason ?? null} onChange={(reason) => onFilter({ end_reason: reason ?? '' })} />
      <TypedFilter label={texts.minCharge} placeholder={texts.minCharge} value={filters.min_charge} read={(text) => { const amount = typedAmount(text); return amount?.startsWith('-') === true ? null : amount; }} problem={common.amountInvalid} onValue={(charge) => onFilter({ min_charge: charge })} />
    </>
  );
}
