import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { audit } from '#texts/audit';
import { AccountSelect } from '../../../components/account-select';
import { FilterIcon } from '../../../components/icons';
import { TextFilter } from '../../../components/text-filter';
import { useNarrow } from '../../../components/use-narrow';
import type { AuditSearch } from './audit-filters';
import classes from './audit.module.css';

interface AuditFilterBarProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

/** Filters of the audit log, behind a button in narrow windows. */
export function AuditFilterBar({ search, onChange }: AuditFilterBarProps) {
  const narrow = useNarrow();
  const [opened, setOpened] = useState(false);
  const given = Object.values(search).filter((value) => value !== undefined && value !== '').length;
  const set = (name: keyof AuditSearch) => (value: string | null) => {
    const { [name]: _before, ...others } = search;
    onChange(value === null || value === '' ? others : { ...others, [name]: value });
  };
  const kinds = Object.entries(audit.kinds).map(([value, label]) => ({ value, label }));
  return (
    <>
      {narrow && <Button variant="default" leftSection={<FilterIcon />} aria-expanded={opened} onClick={() => setOpened(!opened)}>{audit.filters(given)}</Button>}
      {(!narrow || opened) && (
        <search aria-label={audit.filters(given)} className={classes['filters']}>
          <AccountSelect label={audit.account} value={search.account} onAccount={set('account')} />
          <TextFilter label={audit.action} placeholder={audit.actionExample} value={search.action} onChange={set('action')} />
          <Select label={audit.kind} placeholder={audit.anyKind} data={kinds} value={search.actor_kind ?? null} clearable onChange={set('actor_kind')} />
          <TextFilter label={audit.actor} placeholder={audit.actorExample} value={search.actor} onChange={set('actor')} />
          <TextFilter label={audit.first} type="date" value={search.start} onChange={set('start')} />
          <TextFilter label={audit.last} type="date" value={search.end} onChange={set('end')} />
          {given > 0 && <Button variant="default" onClick={() => onChange({})}>{audit.clear}</Button>}
        </search>
      )}
    </>
  );
}
