import { Button, PasswordInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { account as texts } from '#texts/account';
import { common } from '#texts/common';
import { call } from '../../api/call';
import { keyOf } from '../../api/use-route';
import { Card } from '../../components/card';
import { Form } from '../../components/form';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { newPasswordFault } from '../../components/typed-fault';
import { useMe } from '../../session/person';
import classes from './account.module.css';

const { security } = texts;
const FIELDS = { current_password: 'current', new_password: 'next' } as const;

export function PasswordCard() {
  const { person } = useMe();
  const client = useQueryClient();
  const form = useForm({ initialValues: { current: '', next: '' }, validate: { current: isNotEmpty(common.fieldRequired), next: newPasswordFault } });
  const change = useMutation({
    mutationFn: () => call('changePassword', { body: { current_password: form.values.current, new_password: form.values.next } }),
    onSuccess: () => {
      form.reset();
      return client.invalidateQueries({ queryKey: keyOf('listSessions') });
    },
  });
  return (
    <Card title={security.password}>
      <div className="muted">{security.passwordLead}</div>
      <Form form={form} error={change.error} fields={FIELDS} className={classes['form']} onSubmit={() => change.mutate()}>
        {/* Password managers read whose password it is. */}
        <input type="text" hidden readOnly autoComplete="username" value={person.email} />
        <PasswordInput label={security.current} autoComplete="current-password" maxLength={1024} {...form.getInputProps('current')} />
        <PasswordInput label={security.next} description={security.nextNote} autoComplete="new-password" maxLength={1024} {...form.getInputProps('next')} />
        {change.isSuccess && <Note kind="good" announced>{security.passwordChanged}</Note>}
        <Button type="submit" variant="default" loading={change.isPending}>{security.changePassword}</Button>
      </Form>
      <p className="muted">{security.noPassword} <TextLink to="/forgot">{security.resetPassword}</TextLink></p>
    </Card>
  );
}
