import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { entry } from '#texts/entry';
import { addressOf } from '../../api/call';
import { useRoute } from '../../api/use-route';
import { FormProblem } from '../../components/form-problem';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { Page } from '../../components/page';
import { keepReturn, keptReturn } from '../../session/kept-return';
import { signInWithPasskey, supportsPasskeys } from '../../session/passkeys';
import { useEnter } from '../../session/use-enter';
import classes from './entry.module.css';
import { InsecureNote, Or } from './entry-parts';
import { PasswordForm } from './password-form';

const route = getRouteApi('/entry/sign-in');

function OtherWays({ to }: { readonly to: string | undefined }) {
  const methods = useRoute('signInMethods', {}).data;
  const enter = useEnter();
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: ({ reach }) => enter(reach, to) });
  const hasPasskeys = methods?.passkeys === 'available' && supportsPasskeys();
  if (methods === undefined || (!hasPasskeys && methods.issuer === null)) return null;
  return (
    <>
      {hasPasskeys && <Button variant="default" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>{entry.signIn.withPasskey}</Button>}
      <FormProblem error={byPasskey.error} />
      {methods.issuer !== null && <Button component="a" href={addressOf('issuerStart', {})} variant="default" onClick={() => keepReturn(to)}>{entry.signIn.withIssuer(methods.issuer.name)}</Button>}
      <Or />
    </>
  );
}

export function SignInPage() {
  const { to: asked, refused } = route.useSearch();
  // When an issuer refuses a sign-in, its redirect lacks the return address, which this tab has stored.
  const to = asked ?? (refused === undefined ? undefined : keptReturn());
  const { sign_up: signUp, first_operator: firstOperator = null } = useRoute('signInMethods', {}).data ?? {};
  if (!window.isSecureContext) return <Page title={entry.signIn.title}><InsecureNote /></Page>;
  return (
    <Page title={entry.signIn.title}>
      {refused !== undefined && <Note kind="bad" role="alert">{entry.signIn.refused[refused] ?? entry.signIn.refused['sign_in_failed']}</Note>}
      {firstOperator !== null && <Note kind="info">{entry.signIn.firstOperator} <code>{firstOperator}</code></Note>}
      <div className={classes['form']}>
        <OtherWays to={to} />
        <PasswordForm to={to} />
      </div>
      <div className={classes['links']}>
        <p><TextLink to="/forgot">{entry.signIn.forgot}</TextLink></p>
        {signUp === 'open' && <p className="muted">{entry.signIn.noAccount} <TextLink to="/sign-up">{entry.signIn.signUp}</TextLink></p>}
      </div>
    </Page>
  );
}
