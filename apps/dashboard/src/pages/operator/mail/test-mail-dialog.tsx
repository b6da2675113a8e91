import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { common } from '#texts/common';
import { mail } from '#texts/mail';
import { call } from '../../../api/call';
import { Dialog, DialogButtons } from '../../../components/dialog';
import { Form } from '../../../components/form';
import { useMe } from '../../../session/person';
import classes from './mail.module.css';

interface TestMailDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSent: (to: string) => void;
}

const FIELDS = ['to'] as const;

function TestMailForm({ onClose, onSent }: Omit<TestMailDialogProps, 'opened'>) {
  const client = useQueryClient();
  const { person } = useMe();
  const form = useForm({ initialValues: { to: '' } });
  const sending = useMutation({
    mutationFn: ({ to }: typeof form.values) => call('sendTestMail', { body: { to: to.trim() === '' ? null : to.trim() } }),
    onSuccess: ({ to }) => {
      onSent(to);
      onClose();
      return client.invalidateQueries({ queryKey: ['list', 'listMail'] });
    },
  });
  return (
    <Form form={form} error={sending.error} fields={FIELDS} className={classes['form']} onSubmit={(values) => sending.mutate(values)}>
      <TextInput label={mail.to} description={mail.toHelp(person.email)} type="email" autoComplete="off" data-autofocus {...form.getInputProps('to')} />
      <DialogButtons>
        <Button variant="default" disabled={sending.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={sending.isPending}>{mail.test}</Button>
      </DialogButtons>
    </Form>
  );
}

export function TestMailDialog({ opened, onClose, onSent }: TestMailDialogProps) {
  return <Dialog opened={opened} title={mail.test} onClose={onClose}><TestMailForm onClose={onClose} onSent={onSent} /></Dialog>;
}
