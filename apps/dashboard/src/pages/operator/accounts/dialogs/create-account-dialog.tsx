import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { common } from '#texts/common';
import { accounts } from '#texts/account-list';
import { call } from '../../../../api/call';
import { useRoute } from '../../../../api/use-route';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { Form } from '../../../../components/form';
import { blankFault, emailFault } from '../../../../components/typed-fault';
import classes from './dialogs.module.css';

interface CreateAccountDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

const FIELDS = ['email', 'name', 'plan'] as const;

function CreateAccountForm({ onClose }: Pick<CreateAccountDialogProps, 'onClose'>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const plans = useRoute('listPlans', {});
  const form = useForm({ initialValues: { email: '', name: '', plan: null as string | null, verified: false }, validate: { email: emailFault, name: blankFault } });
  const creation = useMutation({
    mutationFn: ({ email, name, plan, verified }: typeof form.values) =>
      call('createAccount', { body: { email: email.trim(), name, email_verified: verified, ...(plan === null ? {} : { plan }) } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['list', 'listAccounts'] });
      await navigate({ to: '/operator/accounts/$id', params: { id } });
    },
  });
  return (
    <Form form={form} error={creation.error} fields={FIELDS} className={classes['form']} onSubmit={(values) => creation.mutate(values)}>
      <p className="muted">{accounts.createHelp}</p>
      <TextInput label={accounts.email} type="email" autoComplete="off" data-autofocus {...form.getInputProps('email')} />
      <TextInput label={accounts.name} autoComplete="off" maxLength={200} {...form.getInputProps('name')} />
      <Select label={accounts.plan} placeholder={accounts.usualPlan} data={(plans.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))} clearable {...form.getInputProps('plan')} />
      <Checkbox label={accounts.verified} {...form.getInputProps('verified', { type: 'checkbox' })} />
      <DialogButtons>
        <Button variant="default" disabled={creation.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={creation.isPending}>{accounts.create}</Button>
      </DialogButtons>
    </Form>
  );
}

export function CreateAccountDialog({ opened, onClose }: CreateAccountDialogProps) {
  return <Dialog opened={opened} title={accounts.create} onClose={onClose}><CreateAccountForm onClose={onClose} /></Dialog>;
}
