import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { keys as texts } from '#texts/keys';
import { useRoute, useRouteList } from '../../api/use-route';
import { Card } from '../../components/card';
import { EmptyState } from '../../components/empty-state';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { Loading } from '../../components/part';
import { CreateDialog, type IssuedKey } from './create-dialog';
import { IssuedDialog } from './issued-dialog';
import { type KeyAct, KeyDialogs } from './key-dialogs';
import { KeyRows } from './key-rows';
import type { Key } from './key-state';
import classes from './keys.module.css';

const LIST_HEIGHT = 320;

interface Shown {
  readonly issued: IssuedKey;
  readonly rotated: boolean;
}

/** `?create=1` opens the dialog for a new key. */
export function KeysPage() {
  const { create } = useSearch({ from: '/shell/keys' });
  const navigate = useNavigate();
  const list = useRouteList('listKeys', {}, ({ id }) => id);
  const account = useRoute('account', {}).data;
  const [chosen, setChosen] = useState<{ readonly key: Key; readonly act: KeyAct | null } | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const keys = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const setCreating = (creating: boolean) => void navigate({ to: '/keys', search: creating ? { create: '1' } : {}, replace: true });
  const creator = useRef<HTMLButtonElement>(null);
  /** The menu button that opened the dialog. */
  const opener = useRef<Element | null>(null);
  const openCreation = <Button ref={creator} onClick={() => setCreating(true)}>{texts.create}</Button>;
  // The dialogs are rendered while closed, so that they can restore the focus.
  const subject = chosen?.key ?? keys[0];
  const forget = () => {
    setShown(null);
    const menu = opener.current;
    opener.current = null;
    window.requestAnimationFrame(() => (menu instanceof HTMLElement && menu.isConnected ? menu : creator.current)?.focus());
  };
  const act = (key: Key, chosenAct: KeyAct) => {
    opener.current = document.activeElement;
    setChosen({ key, act: chosenAct });
  };
  const isEmpty = list.data !== undefined && keys.length === 0;
  const count = account === undefined ? '' : `${texts.count(account.used.api_keys, account.limits.api_keys)} `;
  return (
    <Page title={texts.title} help={`${count}${texts.help}`} action={openCreation}>
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading height={LIST_HEIGHT} />}
      {isEmpty && <Card><EmptyState title={texts.empty} help={texts.emptyHelp} action={<Button variant="default" onClick={() => setCreating(true)}>{texts.create}</Button>} /></Card>}
      {keys.length > 0 && <KeyRows keys={keys} available={account?.balance.available.svc_tokens} onAct={act} />}
      {list.hasNextPage && (
        <div className={classes['center']}><Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>{texts.more}</Button></div>
      )}
      {list.data !== undefined && (
        <CreateDialog
          opened={create !== undefined && shown === null} name={isEmpty ? texts.form.firstName : ''} onClose={() => setCreating(false)}
          onIssued={(issued) => {
            opener.current = null;
            setShown({ issued, rotated: false });
            setCreating(false);
          }}
        />
      )}
      {subject !== undefined && (
        <KeyDialogs apiKey={subject} act={chosen?.act ?? null} onClose={() => setChosen({ key: subject, act: null })} onIssued={(issued) => setShown({ issued, rotated: true })} />
      )}
      {shown !== null && <IssuedDialog issued={shown.issued} rotated={shown.rotated} onClose={forget} />}
    </Page>
  );
}
