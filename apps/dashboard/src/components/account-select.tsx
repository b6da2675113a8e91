import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { accountSelect as texts } from '#texts/account-list';
import { useRoute } from '../api/use-route';
import { useHolderNames } from './holder-names';

interface AccountSelectProps extends Pick<SelectProps, 'label' | 'aria-label' | 'classNames' | 'comboboxProps'> {
  /** Id of the selected account. */
  readonly value: string | undefined;
  readonly onAccount: (id: string | null) => void;
}

const SEARCH_DELAY = 200;
const FOUND = 20;

/** Selects an account, which the gateway searches by name, address and id. */
export function AccountSelect({ value, onAccount, ...look }: AccountSelectProps) {
  const [typed, setTyped] = useState('');
  const nameOf = useHolderNames([value]);
  const chosen = value === undefined ? [] : [{ value, label: nameOf(value) }];
  const text = typed === chosen[0]?.label ? '' : typed.trim();
  const [q] = useDebouncedValue(text, SEARCH_DELAY);
  const found = useRoute('listAccounts', { query: { q, limit: FOUND } }, { enabled: q !== '' }).data?.data ?? [];
  const choices = text === '' ? [] : found.map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }));
  return (
    <Select
      {...look} placeholder={texts.all} data={[...choices, ...chosen.filter(({ value: id }) => choices.every((choice) => choice.value !== id))]} value={value ?? null} searchable clearable
      nothingFoundMessage={text === '' ? texts.type : texts.none} filter={({ options }) => [...options]} onSearchChange={setTyped} onChange={onAccount}
    />
  );
}
