import { Button, Table, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { account as texts } from '#texts/account';
import { common } from '#texts/common';
import { call, type Reply } from '../../api/call';
import { keyOf } from '../../api/use-route';
import { DangerDialog } from '../../components/confirm-dialog';
import { Dialog, DialogButtons } from '../../components/dialog';
import { Form } from '../../components/form';
import { useFreshCall } from '../../components/fresh-proof';
import { Instant } from '../../components/instant';
import { useMe } from '../../session/person';
import classes from './account.module.css';
import { useFactorsChanged } from './use-factors-changed';

type Passkey = Reply<'listPasskeys'>['data'][number];

const { security } = texts;

function RenameForm({ passkey: { id, name }, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm({ initialValues: { name }, validate: { name: isNotEmpty(common.fieldRequired) } });
  const rename = useMutation({
    mutationFn: () => call('renamePasskey', { params: { id }, body: { name: form.values.name } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keyOf('listPasskeys') });
      onClose();
    },
  });
  return (
    <Form form={form} error={rename.error} fields={['name']} className={classes['wide']} onSubmit={() => rename.mutate()}>
      <TextInput label={security.passkeyName} maxLength={200} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <DialogButtons>
        <Button variant="default" onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={rename.isPending}>{security.rename}</Button>
      </DialogButtons>
    </Form>
  );
}

function Row({ passkey, onAsk }: { readonly passkey: Passkey; readonly onAsk: (act: 'rename' | 'remove') => void }) {
  return (
    <Table.Tr>
      <Table.Td className={classes['name']} title={passkey.name}>{passkey.name}</Table.Td>
      <Table.Td data-label={security.kept}>{passkey.backed_up ? security.backedUp : security.thisDevice}</Table.Td>
      <Table.Td data-label={security.added}><Instant at={passkey.created_at} /></Table.Td>
      <Table.Td data-label={security.lastUsed}>{passkey.last_used_at === null ? security.never : <Instant at={passkey.last_used_at} relative />}</Table.Td>
      <Table.Td>
        <div className={classes['buttons']}>
          <Button size="xs" variant="default" aria-label={security.renameTitle(passkey.name)} onClick={() => onAsk('rename')}>{security.rename}</Button>
          <Button size="xs" variant="outline" color="red" aria-label={security.removeLabel(passkey.name)} onClick={() => onAsk('remove')}>{security.remove}</Button>
        </div>
      </Table.Td>
    </Table.Tr>
  );
}

export function PasskeyTable({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const { settings } = useMe();
  const fresh = useFreshCall();
  const changed = useFactorsChanged();
  const [asked, setAsked] = useState<{ readonly act: 'rename' | 'remove'; readonly passkey: Passkey } | null>(null);
  const close = () => setAsked(null);
  const remove = async () => {
    if (asked === null) return;
    await fresh(() => call('removePasskey', { params: { id: asked.passkey.id } }));
    await changed();
  };
  const name = asked?.passkey.name ?? '';
  return (
    <>
      <Table className={classes['table']}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{security.passkeyName}</Table.Th><Table.Th>{security.kept}</Table.Th><Table.Th>{security.added}</Table.Th><Table.Th>{security.lastUsed}</Table.Th>
            <Table.Th><span className="visually-hidden">{texts.sessions.actions}</span></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{passkeys.map((passkey) => <Row key={passkey.id} passkey={passkey} onAsk={(act) => setAsked({ act, passkey })} />)}</Table.Tbody>
      </Table>
      <Dialog opened={asked?.act === 'rename'} title={security.renameTitle(name)} onClose={close}>{asked !== null && <RenameForm passkey={asked.passkey} onClose={close} />}</Dialog>
      <DangerDialog
        opened={asked?.act === 'remove'} title={security.removeTitle(name)} action={security.removePasskey} onConfirm={remove} onClose={close}
        effect={<>{security.removeEffect}{settings.require_second_factor !== 'none' && ` ${security.requiredAgain}`}</>}
      />
    </>
  );
}
