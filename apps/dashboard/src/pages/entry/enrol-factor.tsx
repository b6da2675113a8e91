import { Anchor, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { entry } from '#texts/entry';
import { factors as texts } from '#texts/factors';
import { call } from '../../api/call';
import { useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { PasskeyForm } from '../../components/factors/passkey-form';
import { RecoveryCodes } from '../../components/factors/recovery-codes';
import { TotpForm } from '../../components/factors/totp-form';
import { FormProblem } from '../../components/form-problem';
import { useFreshCall } from '../../components/fresh-proof';
import { Page } from '../../components/page';
import { supportsPasskeys } from '../../session/passkeys';
import { useSignOut } from '../../session/person';
import { useEnter } from '../../session/use-enter';
import classes from './entry.module.css';

const { twoFactor } = entry;

export function EnrolFactor({ to }: { readonly to: string | undefined }) {
  const enter = useEnter();
  const fresh = useFreshCall();
  const signOut = useSignOut();
  const methods = useRoute('signInMethods', {}).data;
  const begin = useMutation({ mutationFn: () => fresh(() => call('enableTotp', { body: {} })) });
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <Page key="codes" title={texts.codesTitle}><RecoveryCodes codes={codes} onStored={() => enter('full', to)} /></Page>;
  if (begin.data !== undefined) return <Page key="app" title={texts.setUpApp}><TotpForm enrolment={begin.data} onConfirmed={setCodes} /></Page>;
  return (
    <Page key="choice" title={twoFactor.enrolTitle} help={twoFactor.enrolLead}>
      {methods?.passkeys === 'available' && supportsPasskeys() && (
        <Card title={twoFactor.passkeyTitle}>
          <div>{twoFactor.passkeyLead}</div>
          <PasskeyForm variant="filled" onAdded={({ reach }) => enter(reach, to)} />
        </Card>
      )}
      <Card title={twoFactor.appTitle}>
        <div>{twoFactor.appLead}</div>
        <FormProblem error={begin.error} provesPerson />
        <div className={classes['form']}><Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>{texts.setUpApp}</Button></div>
      </Card>
      <p><Anchor component="button" type="button" inherit underline="always" onClick={() => void signOut()}>{twoFactor.signOut}</Anchor></p>
    </Page>
  );
}
