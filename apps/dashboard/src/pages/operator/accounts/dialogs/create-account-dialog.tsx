import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { common } from '#texts/common';
import { accounts } from '#texts/account-list';
import { call } from '../../../../api/call';
import { useRoute } from '../../../../api/use-route';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { fieldErrors } from '../../../../components/form-errors';
import { FormProblem } from '../../../../components/form-problem';
import classes from './dialogs.module.css';

interface CreateAccountDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

const FIELDS = ['email', 'name', 'plan'] as const;

function required(text: string): string | null {
  return text.trim() === '' ? common.fieldRequired : null;
}

function CreateAccountForm({ onClose }: Pick<CreateAccountDialogProps, 'onClose'>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const plans = useRoute('listPlans', {});
  const form = useForm({ initialValues: { email: '', name: '', plan: null as string | null, verified: false }, validate: { email: required, name: required } });
  const creation = useMutation({
    mutationFn: ({ email, name, plan, verified }: typeof form.values) =>
      call('createAccount', { body: { email: email.trim(), name, email_verified: verified, ...(plan === null ? {} : { plan }) } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['list', 'listAccounts'] });
      await navigate({ to: '/operator/accounts/$id', params: { id } });
    },
    onError: (error) => form.setErrors(fieldErrors(error, FIELDS)),
  });
  return (
    <form className={classes['form']} onSubmit={form.onSubmit((values) => creation.mutate(values))} noValidate>
      <p className="muted">{accounts.createHelp}</p>
      <TextInput label={accounts.email} type="email" autoComplete="off" data-autofocus {...form.getInputProps('email')} />
      <TextInput label={accounts.name} autoComplete="off" maxLength={200} {...form.getInputProps('name')} />
      <Select label={accounts.plan} placeholder="pay-as-you-go" data={(plans.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))} clearable {...form.getInputProps('plan')} />
      <Checkbox label={accounts.verified} {...form.getInputProps('verified', { type: 'checkbox' })} />
      <FormProblem error={creation.error} fields={FIELDS} />
      <DialogButtons>
        <Button variant="default" disabled={creation.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={creation.isPending}>{accounts.create}</Button>
      </DialogButtons>
    </form>
  );
}

export function CreateAccountDialog({ opened, onClose }: CreateAccountDialogProps) {
  return <Dialog opened={opened} title={accounts.create} onClose={onClose}><CreateAccountForm onClose={onClose} /></Dialog>;
}
