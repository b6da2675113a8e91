import { Button, Menu } from '@mantine/core';
import { useMemo, useState } from 'react';
import { tabs } from '#texts/operator-accounts';
import { accountKeys } from '#texts/account-acts';
import { keys as ownTexts } from '#texts/keys';
import { call } from '../../../../api/call';
import { useRouteList } from '../../../../api/use-route';
import { DangerDialog } from '../../../../components/confirm-dialog';
import { EmptyState } from '../../../../components/empty-state';
import { useFreshCall } from '../../../../components/fresh-proof';
import { MoreIcon } from '../../../../components/icons';
import { Instant } from '../../../../components/instant';
import { LongTable, longColumns } from '../../../../components/long-table';
import { SecretDialog } from '../../../../components/secret-dialog';
import { PlainDialog } from '../../../../components/plain-dialog';
import { KeySpent, KeyStatus } from '../../../keys/key-cells';
import { done, useRefreshAccount, type AccountDetail, type Outcome } from '../acts/account-data';
import { KeyTermsDialog, type AccountKey as Key, type IssuedAccountKey } from '../dialogs/key-terms-dialog';
import rowCard from '../../../../components/row-card.module.css';
import classes from './tabs.module.css';

type EndingAct = 'block' | 'unblock' | 'revoke';
type KeyAct = EndingAct | 'edit';

const helper = longColumns<Key>();
const { keyColumns: names } = tabs;

function nameOf({ name, hint }: Key): string {
  return name ?? hint;
}

interface KeyMenuProps {
  readonly value: Key;
  readonly onAct: (act: KeyAct, key: Key) => void;
}

function KeyMenu({ value, onAct }: KeyMenuProps) {
  if (value.status === 'revoked') return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target><Button size="compact-sm" variant="subtle" color="gray" aria-label={tabs.keyActions(nameOf(value))}><MoreIcon /></Button></Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAct('edit', value)}>{accountKeys.edit}</Menu.Item>
        {value.blocked ? <Menu.Item onClick={() => onAct('unblock', value)}>{tabs.unblockKey}</Menu.Item> : <Menu.Item onClick={() => onAct('block', value)}>{tabs.blockKey}</Menu.Item>}
        <Menu.Item color="red" onClick={() => onAct('revoke', value)}>{tabs.revokeKey}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function columnsWith(available: string, onAct: KeyMenuProps['onAct']) {
  return helper.columns([
    helper.display({ id: 'name', header: names.name, meta: { track: 'minmax(160px, 1fr)' }, cell: ({ row: { original } }) => <><strong>{original.name ?? tabs.unnamed}</strong> <span className="mono">{original.hint}</span></> }),
    helper.display({ id: 'status', header: names.status, meta: { track: '130px' }, cell: ({ row: { original } }) => <KeyStatus apiKey={original} /> }),
    helper.display({ id: 'spent', header: names.spent, meta: { track: '340px', numeric: true }, cell: ({ row: { original } }) => <KeySpent apiKey={original} available={available} /> }),
    helper.display({ id: 'used', header: names.used, meta: { track: '130px' }, cell: ({ row: { original } }) => (original.last_used_at === null ? tabs.never : <Instant at={original.last_used_at} relative />) }),
    helper.display({ id: 'created', header: names.created, meta: { track: '130px', leaves: 1 }, cell: ({ row: { original } }) => <Instant at={original.created_at} /> }),
    helper.display({ id: 'act', header: names.act, meta: { track: '60px' }, cell: ({ row: { original } }) => <KeyMenu value={original} onAct={onAct} /> }),
  ]);
}

function Card({ value, available, onAct }: KeyMenuProps & { readonly available: string }) {
  return (
    <div className={rowCard['card']}>
      <div className={rowCard['line']}><strong>{value.name ?? tabs.unnamed}</strong><KeyStatus apiKey={value} /></div>
      <div className={rowCard['line']}>
        <span className="mono">{value.hint}</span>
        <KeyMenu value={value} onAct={onAct} />
      </div>
      <div className={classes['spent']}><span className="muted">{names.spent}</span><span><KeySpent apiKey={value} available={available} /></span></div>
      <div className={rowCard['line']}><span className="muted">{names.used}</span><span>{value.last_used_at === null ? tabs.never : <Instant at={value.last_used_at} relative />}</span></div>
    </div>
  );
}

function cardWith(available: string, onAct: KeyMenuProps['onAct']) {
  return (key: Key) => <Card value={key} available={available} onAct={onAct} />;
}

const CARD_HEIGHT = 174;

const ACTS = {
  block: { title: tabs.blockKeyTitle, effect: tabs.blockKeyEffect, action: tabs.blockKey, route: 'blockKey', done: tabs.keyBlocked },
  unblock: { title: tabs.unblockKeyTitle, effect: tabs.unblockKeyEffect, action: tabs.unblockKey, route: 'unblockKey', done: tabs.keyUnblocked },
  revoke: { title: tabs.revokeKeyTitle, effect: tabs.revokeKeyEffect, action: tabs.revokeKey, route: 'revokeKeyOfAccount', done: tabs.keyRevoked },
} as const;

interface KeysTabProps {
  readonly account: AccountDetail;
  readonly onDone: (outcome: Outcome) => void;
}

interface EndingProps extends KeysTabProps {
  readonly act: EndingAct;
  readonly apiKey: Key;
  readonly onClose: () => void;
}

function EndingDialog({ account: { id }, act, apiKey, onDone, onClose }: EndingProps) {
  const fresh = useFreshCall();
  const refresh = useRefreshAccount();
  const { title, effect, action, route, done: said } = ACTS[act];
  const name = nameOf(apiKey);
  const confirm = async () => {
    await fresh(() => call(route, { params: { id, key: apiKey.id } }));
    onDone(done(said(name)));
    void refresh();
  };
  const props = { opened: true, title: title(name), effect, action, onConfirm: confirm, onClose };
  return act === 'unblock' ? <PlainDialog {...props} /> : <DangerDialog {...props} typed={act === 'revoke' ? name : undefined} />;
}

/** `key` is `null` for a new key. */
type Chosen = { readonly act: EndingAct; readonly key: Key } | { readonly act: 'edit'; readonly key: Key | null };

export function KeysTab({ account, onDone }: KeysTabProps) {
  const list = useRouteList('listKeysOfAccount', { params: { id: account.id } }, (last) => last.id);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [issued, setIssued] = useState<IssuedAccountKey | null>(null);
  const choose = useMemo(() => (act: KeyAct, key: Key) => setChosen({ act, key }), []);
  const available = account.balance.available.svc_tokens;
  const columns = useMemo(() => columnsWith(available, choose), [available, choose]);
  const card = useMemo(() => cardWith(available, choose), [available, choose]);
  const close = () => setChosen(null);
  const onIssued = (key: IssuedAccountKey) => {
    close();
    setIssued(key);
  };
  const onChanged = (key: Key) => {
    close();
    onDone(done(accountKeys.changed(nameOf(key))));
  };
  return (
    <>
      {account.status !== 'deleted' && <div className={classes['aside']}><Button variant="default" onClick={() => setChosen({ act: 'edit', key: null })}>{ownTexts.create}</Button></div>}
      <LongTable
        name="account-keys"
        label={tabs.keys} list={list} columns={columns} idOf={(key) => key.id} card={card} cardHeight={CARD_HEIGHT}
        empty={<EmptyState title={tabs.keysNone} />}
      />
      {chosen?.act === 'edit' && <KeyTermsDialog account={account} apiKey={chosen.key} onClose={close} onIssued={onIssued} onChanged={onChanged} />}
      {chosen !== null && chosen.act !== 'edit' && <EndingDialog account={account} act={chosen.act} apiKey={chosen.key} onDone={onDone} onClose={close} />}
      {issued !== null && <SecretDialog title={ownTexts.issued.created(issued.name)} secret={issued.secret} texts={ownTexts.issued} onClose={() => setIssued(null)} />}
    </>
  );
}
