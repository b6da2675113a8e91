import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { common } from '#texts/common';
import { mail } from '#texts/mail';
import { call } from '../../../api/call';
import { Dialog, DialogButtons } from '../../../components/dialog';
import { fieldErrors } from '../../../components/form-errors';
import { FormProblem } from '../../../components/form-problem';
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
    onError: (error) => form.setErrors(fieldErrors(error, FIELDS)),
  });
  return (
    <form className={classes['form']} onSubmit={form.onSubmit((values) => sending.mutate(values))} noValidate>
      <TextInput label={mail.to} description={mail.toHelp(person.email)} type="email" autoComplete="off" data-autofocus {...form.getInputProps('to')} />
      <FormProblem error={sending.error} fields={FIELDS} />
      <DialogButtons>
        <Button variant="default" disabled={sending.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={sending.isPending}>{mail.test}</Button>
      </DialogButtons>
    </form>
  );
}

/** Tests the delivery of mail. */
export function TestMailDialog({ opened, onClose, onSent }: TestMailDialogProps) {
  return <Dialog opened={opened} title={mail.test} onClose={onClose}><TestMailForm onClose={onClose} onSent={onSent} /></Dialog>;
}
