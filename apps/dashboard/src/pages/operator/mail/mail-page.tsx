import { Button, Select } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { mail } from '#texts/mail';
import { useRouteList } from '../../../api/use-route';
import { AccountSelect } from '../../../components/account-select';
import { EmptyState } from '../../../components/empty-state';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { SearchBox } from '../../../components/search-box';
import { useMe } from '../../../session/person';
import { KINDS, mailQuery, type MailSearch, STATES } from './mail-filters';
import { MailTable } from './mail-table';
import classes from './mail.module.css';
import { TestMailDialog } from './test-mail-dialog';

interface FiltersProps {
  readonly search: MailSearch;
  readonly onChange: (search: MailSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const set = (name: keyof MailSearch) => (value: string | null) => {
    const { [name]: _before, ...others } = search;
    onChange(value === null || value === '' ? others : { ...others, [name]: value });
  };
  const { q = '', state = null, kind = null, account } = search;
  return (
    <div className={classes['filters']}>
      <div className={classes['search']}><SearchBox label={mail.search} placeholder={mail.search} value={q} onSearch={set('q')} /></div>
      <Select label={mail.filters.state} placeholder={mail.filters.any} data={STATES.map((value) => ({ value, label: mail.states[value] }))} value={state} clearable onChange={set('state')} />
      <Select label={mail.filters.kind} placeholder={mail.filters.any} data={KINDS.map((value) => ({ value, label: mail.kinds[value] }))} value={kind} clearable searchable onChange={set('kind')} />
      <AccountSelect label={mail.filters.account} value={account} onAccount={set('account')} />
    </div>
  );
}

/** Lists messages without their texts and links. */
export function MailPage() {
  const { settings } = useMe();
  const search = useSearch({ from: '/shell/operator/mail' });
  const navigate = useNavigate();
  const list = useRouteList('listMail', { query: mailQuery(search) });
  const [isTesting, setTesting] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const change = (changed: MailSearch) => void navigate({ to: '/operator/mail', search: changed });
  const isNarrowed = Object.values(search).some((value) => value !== undefined);
  return (
    <Page title={mail.title} help={mail.help} action={<Button onClick={() => setTesting(true)}>{mail.test}</Button>}>
      {!settings.mail && <Note kind="info">{mail.files}</Note>}
      {sentTo !== null && <Note kind="good" announced>{mail.sent(sentTo)}</Note>}
      <Filters search={search} onChange={change} />
      <MailTable
        list={list}
        empty={isNarrowed
          ? <EmptyState title={mail.noMatch} help={mail.noMatchHelp} action={<Button variant="default" onClick={() => change({})}>{mail.clear}</Button>} />
          : <EmptyState title={mail.none} help={mail.noneHelp} action={<Button variant="default" onClick={() => setTesting(true)}>{mail.test}</Button>} />}
      />
      <TestMailDialog opened={isTesting} onClose={() => setTesting(false)} onSent={setSentTo} />
    </Page>
  );
}
