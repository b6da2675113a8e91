import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { common } from '#texts/common';
import { accounts } from '#texts/account-list';
import { call } from '../../../../api/call';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { Form } from '../../../../components/form';
import { Note } from '../../../../components/note';
import { useMe } from '../../../../session/person';
import { blankFault, emailFault } from '../../../../components/typed-fault';
import classes from './dialogs.module.css';

interface InviteDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onInvited: (email: string) => void;
}

const FIELDS = ['email', 'name'] as const;

function InviteForm({ onClose, onInvited }: Omit<InviteDialogProps, 'opened'>) {
  const client = useQueryClient();
  const { settings } = useMe();
  const form = useForm({ initialValues: { email: '', name: '' }, validate: { email: emailFault, name: blankFault } });
  const invitation = useMutation({
    mutationFn: ({ email, name }: typeof form.values) => call('invitePerson', { body: { email: email.trim(), name } }),
    onSuccess: ({ email }) => {
      onInvited(email);
      onClose();
      return client.invalidateQueries({ queryKey: ['list', 'listMail'] });
    },
  });
  return (
    <Form form={form} error={invitation.error} fields={FIELDS} className={classes['form']} onSubmit={(values) => invitation.mutate(values)}>
      <p className="muted">{accounts.inviteHelp}</p>
      {!settings.mail && <Note kind="info">{accounts.inviteFiles}</Note>}
      <TextInput label={accounts.email} type="email" autoComplete="off" data-autofocus {...form.getInputProps('email')} />
      <TextInput label={accounts.name} autoComplete="off" maxLength={200} {...form.getInputProps('name')} />
      <DialogButtons>
        <Button variant="default" disabled={invitation.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={invitation.isPending}>{accounts.sendInvitation}</Button>
      </DialogButtons>
    </Form>
  );
}

export function InviteDialog({ opened, onClose, onInvited }: InviteDialogProps) {
  return <Dialog opened={opened} title={accounts.invite} onClose={onClose}><InviteForm onClose={onClose} onInvited={onInvited} /></Dialog>;
}
