import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { locale } from '#locale';
import { entry } from '#texts/entry';
import { hasCode } from '../../api/api-error';
import { call } from '../../api/call';
import { useRoute } from '../../api/use-route';
import { EmptyState } from '../../components/empty-state';
import { Form } from '../../components/form';
import { ButtonLink, TextLink } from '../../components/link';
import { Page } from '../../components/page';
import { blankFault, emailFault, newPasswordFault } from '../../components/typed-fault';
import classes from './entry.module.css';
import { InsecureNote } from './entry-parts';
import { LinkSent } from './link-sent';

const FIELDS = ['email', 'name', 'password'] as const;

function NoSignUps() {
  return <EmptyState title={entry.signUp.closed} action={<ButtonLink to="/sign-in" variant="default">{entry.backToSignIn}</ButtonLink>} />;
}

interface SignUpFormProps {
  readonly email: string;
  readonly onSent: (email: string) => void;
}

function SignUpForm({ email: typedBefore, onSent }: SignUpFormProps) {
  const form = useForm({ initialValues: { email: typedBefore, name: '', password: '' }, validate: { email: emailFault, name: blankFault, password: newPasswordFault } });
  const email = form.values.email.trim();
  const signUp = useMutation({
    mutationFn: () => call('signUp', { body: { ...form.values, email, language: locale.language } }),
    onSuccess: () => onSent(email),
  });
  if (hasCode(signUp.error, 'sign_up_closed')) return <NoSignUps />;
  return (
    <Form form={form} error={signUp.error} fields={FIELDS} className={classes['form']} onSubmit={() => signUp.mutate()}>
      <TextInput label={entry.email} type="email" name="email" autoComplete="username" maxLength={254} {...form.getInputProps('email')} />
      <TextInput label={entry.name} name="name" autoComplete="name" maxLength={200} {...form.getInputProps('name')} />
      <PasswordInput label={entry.password} description={entry.passwordNote} name="password" autoComplete="new-password" maxLength={1024} {...form.getInputProps('password')} />
      <Button type="submit" loading={signUp.isPending}>{entry.signUp.submit}</Button>
    </Form>
  );
}

/** The gateway's reply is the same whether or not the address already has an account. */
export function SignUpPage() {
  const policy = useRoute('signInMethods', {}).data?.sign_up;
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState(false);
  if (!window.isSecureContext) return <Page title={entry.signUp.title}><InsecureNote /></Page>;
  if (sent) {
    return (
      <LinkSent
        key="sent" title={entry.signUp.sentTitle} text={entry.signUp.sent(email)} onOther={() => setSent(false)}
        onResend={() => call('resendVerification', { body: { email } })}
      />
    );
  }
  return (
    <Page key="form" title={entry.signUp.title}>
      {policy === 'invitation' || policy === 'closed' ? <NoSignUps /> : <SignUpForm email={email} onSent={(to) => { setEmail(to); setSent(true); }} />}
      <p className="muted">{entry.signUp.haveAccount} <TextLink to="/sign-in">{entry.signIn.title}</TextLink></p>
    </Page>
  );
}
