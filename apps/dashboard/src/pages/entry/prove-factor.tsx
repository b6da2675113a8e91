import { Anchor, Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { entry } from '#texts/entry';
import { hasCode } from '../../api/api-error';
import { call, type Reply } from '../../api/call';
import { FormProblem } from '../../components/form-problem';
import { ButtonLink, TextLink } from '../../components/link';
import { Page } from '../../components/page';
import { signInWithPasskey, supportsPasskeys } from '../../session/passkeys';
import { useSignOut } from '../../session/person';
import { useEnter } from '../../session/use-enter';
import classes from './entry.module.css';
import { Or } from './entry-parts';

const { twoFactor } = entry;

interface ProveFactorProps {
  readonly factors: Reply<'currentSession'>['factors'];
  readonly to: string | undefined;
}

function CodeForm({ to }: { readonly to: string | undefined }) {
  const enter = useEnter();
  const [byRecovery, setByRecovery] = useState(false);
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const prove = useMutation({
    mutationFn: () => (byRecovery ? call('useRecoveryCode', { body: { code } }) : call('verifyTotp', { body: { code } })), onSuccess: ({ reach }) => enter(reach, to),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(code.trim() === '');
    if (code.trim() !== '') prove.mutate();
  };
  const swap = () => {
    setByRecovery(!byRecovery);
    setCode('');
    setMissing(false);
    prove.reset();
  };
  const sessionEnded = hasCode(prove.error, 'not_signed_in');
  return (
    <form className={classes['form']} onSubmit={submit}>
      <TextInput
        key={String(byRecovery)} label={byRecovery ? twoFactor.recoveryCode : twoFactor.totpCode} description={byRecovery ? twoFactor.recoveryNote : twoFactor.totpNote}
        inputMode={byRecovery ? 'text' : 'numeric'} autoComplete={byRecovery ? 'off' : 'one-time-code'} maxLength={64} value={code} error={missing ? entry.required : undefined}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <FormProblem error={prove.error} provesPerson />
      {sessionEnded ? <ButtonLink to="/sign-in" search={to === undefined ? {} : { to }}>{twoFactor.ended}</ButtonLink> : <Button type="submit" loading={prove.isPending}>{twoFactor.submit}</Button>}
      {!sessionEnded && <Anchor component="button" type="button" inherit className={classes['start']} onClick={swap}>{byRecovery ? twoFactor.withApp : twoFactor.withRecovery}</Anchor>}
    </form>
  );
}

export function ProveFactor({ factors, to }: ProveFactorProps) {
  const enter = useEnter();
  const signOut = useSignOut();
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: ({ reach }) => enter(reach, to) });
  const [hasPasskey, hasApp] = [factors.includes('passkey'), factors.includes('totp')];
  return (
    <Page title={twoFactor.proveTitle} help={twoFactor.proveLead}>
      <div className={classes['form']}>
        {hasPasskey && supportsPasskeys() && (
          <Button variant={hasApp ? 'default' : 'filled'} loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>{twoFactor.withPasskey}</Button>
        )}
        <FormProblem error={byPasskey.error} provesPerson />
        {hasPasskey && hasApp && <Or />}
        {hasApp && <CodeForm to={to} />}
      </div>
      <div className={classes['links']}>
        <p className="muted">{twoFactor.lost} <TextLink to="/forgot">{twoFactor.lostAction}</TextLink>{twoFactor.lostOperator}</p>
        <p><Anchor component="button" type="button" inherit underline="always" onClick={() => void signOut()}>{twoFactor.signOut}</Anchor></p>
      </div>
    </Page>
  );
}
