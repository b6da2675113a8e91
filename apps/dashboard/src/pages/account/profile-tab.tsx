import { Button, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { account as texts } from '#texts/account';
import { common } from '#texts/common';
import { call } from '../../api/call';
import { keyOf } from '../../api/use-route';
import { Card } from '../../components/card';
import { Form } from '../../components/form';
import { useFreshCall } from '../../components/fresh-proof';
import { Note } from '../../components/note';
import { emailFault } from '../../components/typed-fault';
import { useMe } from '../../session/person';
import classes from './account.module.css';

const { profile } = texts;
const NAMES = { name: 'name', account_name: 'accountName' } as const;

function NamesCard() {
  const { person, account } = useMe();
  const client = useQueryClient();
  const form = useForm({ initialValues: { name: person.name, accountName: account.name }, validate: { name: isNotEmpty(common.fieldRequired), accountName: isNotEmpty(common.fieldRequired) } });
  const save = useMutation({
    mutationFn: () => call('changeProfile', { body: { name: form.values.name, account_name: form.values.accountName } }),
    onSuccess: async () => {
      await Promise.all([client.invalidateQueries({ queryKey: keyOf('me') }), client.invalidateQueries({ queryKey: keyOf('account') })]);
      notifications.show({ message: profile.saved });
    },
  });
  return (
    <Card title={profile.names}>
      <Form form={form} error={save.error} fields={NAMES} className={classes['form']} onSubmit={() => save.mutate()}>
        <TextInput label={profile.name} autoComplete="name" maxLength={200} {...form.getInputProps('name')} />
        <TextInput label={profile.accountName} autoComplete="off" maxLength={200} {...form.getInputProps('accountName')} />
        <Button type="submit" variant="default" loading={save.isPending}>{common.save}</Button>
      </Form>
    </Card>
  );
}

function NewEmailForm({ onSent, onCancel }: { readonly onSent: (email: string) => void; readonly onCancel: () => void }) {
  const fresh = useFreshCall();
  const form = useForm({ initialValues: { email: '' }, validate: { email: emailFault } });
  const email = form.values.email.trim();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const change = useMutation({
    mutationFn: () => fresh(() => call('changeEmail', { body: { email } })), onSuccess: () => onSent(email),
  });
  return (
    <Form form={form} error={change.error} fields={['email']} className={classes['form']} onSubmit={() => change.mutate()}>
      <TextInput label={profile.newEmail} type="email" autoComplete="email" maxLength={254} ref={input} {...form.getInputProps('email')} />
      <div className={classes['buttons']}>
        <Button variant="default" onClick={onCancel}>{common.cancel}</Button>
        <Button type="submit" variant="default" loading={change.isPending}>{profile.sendLink}</Button>
      </div>
    </Form>
  );
}

type EmailState = { readonly step: 'shown' | 'asked' } | { readonly step: 'sent'; readonly to: string };

function EmailCard() {
  const { person } = useMe();
  const [state, setState] = useState<EmailState>({ step: 'shown' });
  return (
    <Card title={profile.email}>
      <div className={classes['address']}>{person.email}</div>
      <div className="muted">{profile.emailLead}</div>
      {state.step === 'sent' && <Note kind="info" announced>{profile.sent(person.email, state.to)}</Note>}
      {state.step === 'asked'
        ? <NewEmailForm onSent={(to) => setState({ step: 'sent', to })} onCancel={() => setState({ step: 'shown' })} />
        : <div className={classes['buttons']}><Button variant="default" onClick={() => setState({ step: 'asked' })}>{profile.changeEmail}</Button></div>}
    </Card>
  );
}

export function ProfileTab() {
  return <div className={classes['column']}><NamesCard /><EmailCard /></div>;
}
