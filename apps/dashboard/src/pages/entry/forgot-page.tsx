import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { entry } from '#texts/entry';
import { call } from '../../api/call';
import { Form } from '../../components/form';
import { TextLink } from '../../components/link';
import { Page } from '../../components/page';
import { emailFault } from '../../components/typed-fault';
import classes from './entry.module.css';
import { LinkSent } from './link-sent';

/** The gateway's reply is the same whether or not the address has an account. */
export function ForgotPage() {
  const form = useForm({ initialValues: { email: '' }, validate: { email: emailFault } });
  const [sent, setSent] = useState(false);
  const email = form.values.email.trim();
  const send = () => call('requestReset', { body: { email } });
  const request = useMutation({ mutationFn: send, onSuccess: () => setSent(true) });
  if (sent) return <LinkSent key="sent" title={entry.forgot.sentTitle} text={entry.forgot.sent(email)} onResend={send} onOther={() => setSent(false)} />;
  return (
    <Page key="form" title={entry.forgot.title} help={entry.forgot.lead}>
      <Form form={form} error={request.error} fields={['email']} className={classes['form']} onSubmit={() => request.mutate()}>
        <TextInput label={entry.email} type="email" name="email" autoComplete="username" maxLength={254} {...form.getInputProps('email')} />
        <Button type="submit" loading={request.isPending}>{entry.forgot.submit}</Button>
      </Form>
      <p><TextLink to="/sign-in">{entry.backToSignIn}</TextLink></p>
    </Page>
  );
}
