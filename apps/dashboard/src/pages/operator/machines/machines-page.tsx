import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { machines as texts } from '#texts/machines';
import { keyOf, useRoute } from '../../../api/use-route';
import { Card } from '../../../components/card';
import { EmptyState } from '../../../components/empty-state';
import { TextLink } from '../../../components/link';
import { Note } from '../../../components/note';
import { Page } from '../../../components/page';
import { Part } from '../../../components/part';
import { SecretDialog } from '../../../components/secret-dialog';
import { CreateDialog } from './create-dialog';
import type { IssuedMachine, Machine } from './machine';
import { MachineDialogs } from './machine-dialogs';
import type { MachineAct } from './machine-menu';
import { MachineRows } from './machine-rows';

const LIST_HEIGHT = 320;

type Open = { readonly act: 'create' } | { readonly act: MachineAct; readonly machine: Machine } | { readonly act: 'show'; readonly issued: IssuedMachine; readonly title: string };

function Revoked({ name }: { readonly name: string }) {
  return <Note kind="good" announced action={<TextLink to="/operator/audit" search={{ action: 'machine.revoked' }}>{texts.auditEntry}</TextLink>}>{texts.revoke.done(name)}</Note>;
}

export function MachinesPage() {
  const client = useQueryClient();
  const list = useRoute('listMachines', {});
  const [open, setOpen] = useState<Open | null>(null);
  const [revoked, setRevoked] = useState<string | null>(null);
  const creator = useRef<HTMLButtonElement>(null);
  /** The button that opened the dialog. */
  const opener = useRef<Element | null>(null);
  const begin = (next: Open) => {
    opener.current = document.activeElement;
    setOpen(next);
  };
  const close = () => setOpen(null);
  const forget = () => {
    close();
    window.requestAnimationFrame(() => (opener.current instanceof HTMLElement && opener.current.isConnected ? opener.current : creator.current)?.focus());
  };
  const changed = () => void client.invalidateQueries({ queryKey: keyOf('listMachines') });
  const show = (issued: IssuedMachine, title: string) => {
    setOpen({ act: 'show', issued, title });
    changed();
  };
  const grantable = list.data?.grantable_scopes ?? [];
  const create = { disabled: list.data === undefined, onClick: () => begin({ act: 'create' }), children: texts.create };
  return (
    <Page title={texts.title} help={texts.help} action={<Button ref={creator} {...create} />}>
      {revoked !== null && <Revoked name={revoked} />}
      <Part query={list} height={LIST_HEIGHT}>
        {({ data }) => (data.length === 0
          ? <Card><EmptyState title={texts.none} help={texts.noneHelp} action={<Button variant="default" {...create} />} /></Card>
          : <MachineRows machines={data} grantable={grantable} onAct={(machine, act) => begin({ act, machine })} />)}
      </Part>
      <CreateDialog opened={open?.act === 'create'} grantable={grantable} onClose={close} onIssued={(issued) => show(issued, texts.issued.created(issued.name))} />
      {(open?.act === 'rotate' || open?.act === 'revoke') && (
        <MachineDialogs
          {...open} onClose={close} onIssued={(issued) => show(issued, texts.issued.rotated(issued.name))}
          onRevoked={() => {
            setRevoked(open.machine.name);
            changed();
          }}
        />
      )}
      {open?.act === 'show' && <SecretDialog title={open.title} secret={open.issued.secret} texts={texts.issued} onClose={forget} />}
    </Page>
  );
}
