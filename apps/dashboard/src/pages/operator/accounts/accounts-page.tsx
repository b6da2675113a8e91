import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { accounts } from '#texts/account-list';
import type { Reply } from '../../../api/call';
import { useRouteList } from '../../../api/use-route';
import { Amount } from '../../../components/amount';
import { EmptyState } from '../../../components/empty-state';
import { Instant } from '../../../components/instant';
import { TextLink } from '../../../components/link';
import { LongTable, longColumns } from '../../../components/long-table';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { Status } from '../../../components/status';
import { useUtcDay } from '../../../components/use-utc-day';
import { dayLabel } from '../../../format/day';
import { AccountFilterBar } from './account-filter-bar';
import { accountsQuery, type AccountsSearch, filtersIn } from './account-filters';
import rowCard from '../../../components/row-card.module.css';
import { CreateAccountDialog } from './dialogs/create-account-dialog';
import { InviteDialog } from './dialogs/invite-dialog';

type ListedAccount = Reply<'listAccounts'>['data'][number];

const helper = longColumns<ListedAccount>();

function AccountLink({ account: { id, email, name } }: { readonly account: ListedAccount }) {
  return <TextLink to="/operator/accounts/$id" params={{ id }} data-row-link title={`${email} · ${name}`}>{email}</TextLink>;
}

function LastUsed({ day }: { readonly day: string | null }) {
  return day === null ? <span className="muted">{accounts.neverUsed}</span> : <time dateTime={day} title={day}>{dayLabel(day)}</time>;
}

const columns = helper.columns([
  helper.display({ id: 'account', header: accounts.columns.account, meta: { track: 'minmax(240px, 4fr)' }, cell: ({ row: { original } }) => <><AccountLink account={original} /> <span className="muted"><bdi>{original.name}</bdi></span></> }),
  helper.display({ id: 'standing', header: accounts.columns.standing, meta: { track: '140px' }, cell: ({ row: { original } }) => <Status value={original.standing} /> }),
  helper.display({ id: 'plan', header: accounts.columns.plan, meta: { track: 'minmax(90px, 1fr)' }, cell: ({ row: { original } }) => original.plan }),
  helper.display({ id: 'available', header: accounts.columns.available, meta: { track: '170px', numeric: true }, cell: ({ row: { original } }) => <Amount value={original.balance.available.svc_tokens} form="column" /> }),
  helper.display({ id: 'lastUsed', header: accounts.columns.lastUsed, meta: { track: '110px', numeric: true }, cell: ({ row: { original } }) => <LastUsed day={original.last_used_on} /> }),
  helper.display({ id: 'since', header: accounts.columns.since, meta: { track: '120px', numeric: true }, cell: ({ row: { original } }) => <Instant at={original.created_at} /> }),
]);

function cardOf(account: ListedAccount) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><AccountLink account={account} /><Status value={account.standing} /></div>
      <div className={rowCard['line']}><span className="muted"><bdi>{account.name}</bdi> · {account.plan}</span><Amount value={account.balance.available.svc_tokens} /></div>
    </div>
  );
}

const CARD_HEIGHT = 78;

export function AccountsPage() {
  const filters = useSearch({ from: '/shell/operator/accounts' });
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'create' | 'invite' | null>(null);
  const [invited, setInvited] = useState<string | null>(null);
  const today = useUtcDay();
  const list = useRouteList('listAccounts', { query: accountsQuery(filters, today) });
  const search = (changed: AccountsSearch) => void navigate({ to: '/operator/accounts', search: changed });
  const isNarrowed = filtersIn(filters) > 0 || filters.q !== undefined;
  const open = ({ id }: ListedAccount) => void navigate({ to: '/operator/accounts/$id', params: { id } });
  const close = () => setOpened(null);
  return (
    <Page
      title={accounts.title}
      action={<><Button variant="default" onClick={() => setOpened('invite')}>{accounts.invite}</Button><Button onClick={() => setOpened('create')}>{accounts.create}</Button></>}
    >
      {invited !== null && <Note kind="good" announced action={<TextLink to="/operator/mail">{accounts.showMail}</TextLink>}>{accounts.invited(invited)}</Note>}
      <AccountFilterBar search={filters} onChange={search} />
      <LongTable
        name="accounts"
        label={accounts.title} list={list} columns={columns} idOf={({ id }) => id} card={cardOf} cardHeight={CARD_HEIGHT} onOpen={open}
        empty={!isNarrowed
          ? <EmptyState title={accounts.none} help={accounts.noneHelp} action={<Button variant="default" onClick={() => setOpened('create')}>{accounts.create}</Button>} />
          : <EmptyState title={accounts.noMatch} help={accounts.noMatchHelp} action={<Button variant="default" onClick={() => search({})}>{accounts.clearSearch}</Button>} />}
      />
      <CreateAccountDialog opened={opened === 'create'} onClose={close} />
      <InviteDialog opened={opened === 'invite'} onClose={close} onInvited={setInvited} />
    </Page>
  );
}
