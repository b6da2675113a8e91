import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { entry } from '#texts/entry';
import { hasCode } from '../../api/api-error';
import { call } from '../../api/call';
import { Form } from '../../components/form';
import { FormProblem } from '../../components/form-problem';
import { Note } from '../../components/note';
import { useEnter } from '../../session/use-enter';
import classes from './entry.module.css';

/** Resends the verification mail. The reply is the same for every address. */
function Resend({ email }: { readonly email: string }) {
  const resend = useMutation({ mutationFn: () => call('resendVerification', { body: { email } }) });
  if (resend.isSuccess) return <Note kind="info" announced>{entry.signIn.resent(email)}</Note>;
  return (
    <>
      <p className="muted">{entry.signIn.manyFailures}</p>
      <p className="muted">{entry.signIn.unconfirmed} <Anchor component="button" type="button" inherit underline="always" onClick={() => resend.mutate()}>{entry.signIn.resend}</Anchor></p>
      <FormProblem error={resend.error} />
    </>
  );
}

/** Refusals are worded the same for every reason. */
export function PasswordForm({ to }: { readonly to: string | undefined }) {
  const form = useForm({ initialValues: { email: '', password: '' }, validate: { email: isNotEmpty(entry.required), password: isNotEmpty(entry.required) } });
  const enter = useEnter();
  const signIn = useMutation({
    mutationFn: () => call('signIn', { body: { email: form.values.email.trim(), password: form.values.password } }),
    onSuccess: ({ reach }) => enter(reach, to),
  });
  return (
    <Form form={form} error={signIn.error} fields={['email', 'password']} className={classes['form']} onSubmit={() => signIn.mutate()}>
      <TextInput label={entry.email} type="email" name="email" autoComplete="username" maxLength={254} {...form.getInputProps('email')} />
      <PasswordInput label={entry.password} name="password" autoComplete="current-password" maxLength={1024} {...form.getInputProps('password')} />
      {hasCode(signIn.error, 'sign_in_failed') && <Resend key={signIn.submittedAt} email={form.values.email.trim()} />}
      <Button type="submit" loading={signIn.isPending}>{entry.signIn.submit}</Button>
    </Form>
  );
}
