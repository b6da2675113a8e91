import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { account as texts } from '#texts/account';
import { factors as factorTexts } from '#texts/factors';
import { call, type Reply } from '../../api/call';
import { useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { DangerDialog } from '../../components/confirm-dialog';
import { Dialog } from '../../components/dialog';
import { RecoveryCodes } from '../../components/factors/recovery-codes';
import { TotpForm } from '../../components/factors/totp-form';
import { FormProblem } from '../../components/form-problem';
import { useFreshCall } from '../../components/fresh-proof';
import { Instant } from '../../components/instant';
import { Part } from '../../components/part';
import { useMe } from '../../session/person';
import facts from '../../components/facts.module.css';
import classes from './account.module.css';
import { useFactorsChanged } from './use-factors-changed';

const { security } = texts;
const PART_HEIGHT = 90;

/** The codes are shown only once, so the dialog stays until the person confirms having stored them. */
function CodesDialog({ codes, onStored }: { readonly codes: readonly string[]; readonly onStored: () => void }) {
  return <Dialog opened busy title={factorTexts.codesTitle} onClose={onStored}><RecoveryCodes codes={codes} onStored={onStored} /></Dialog>;
}

function SetUp({ onCodes }: { readonly onCodes: (codes: readonly string[]) => void }) {
  const fresh = useFreshCall();
  const begin = useMutation({ mutationFn: () => fresh(() => call('enableTotp', { body: {} })) });
  const confirmed = (codes: readonly string[]) => {
    begin.reset();
    onCodes(codes);
  };
  return (
    <>
      <div>{security.appNone}</div>
      <FormProblem error={begin.error} />
      <div className={classes['buttons']}><Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>{factorTexts.setUpApp}</Button></div>
      <Dialog opened={begin.data !== undefined} title={factorTexts.setUpApp} onClose={begin.reset}>
        {begin.data !== undefined && <TotpForm enrolment={begin.data} onConfirmed={confirmed} />}
      </Dialog>
    </>
  );
}

interface PresentProps {
  readonly since: string;
  readonly codesLeft: Reply<'factors'>['recovery_codes_left'];
  readonly onCodes: (codes: readonly string[]) => void;
}

function Present({ since, codesLeft, onCodes }: PresentProps) {
  const { settings } = useMe();
  const fresh = useFreshCall();
  const changed = useFactorsChanged();
  const [asked, setAsked] = useState<'disable' | 'renew' | null>(null);
  const close = () => setAsked(null);
  const disable = async () => {
    await fresh(() => call('disableTotp', { body: {} }));
    await changed();
  };
  const renew = async () => onCodes((await fresh(() => call('renewRecoveryCodes', { body: {} }))).recovery_codes);
  return (
    <>
      <dl className={facts['facts']}>
        <dt>{security.appSince}</dt><dd><Instant at={since} /></dd>
        <dt>{security.codes}</dt><dd>{security.codesLeft(codesLeft)}</dd>
      </dl>
      <div className={classes['buttons']}>
        <Button variant="default" onClick={() => setAsked('renew')}>{security.renew}</Button>
        <Button variant="outline" color="red" onClick={() => setAsked('disable')}>{security.disable}</Button>
      </div>
      <DangerDialog opened={asked === 'renew'} title={security.renewTitle} effect={security.renewEffect} action={security.renew} onConfirm={renew} onClose={close} />
      <DangerDialog
        opened={asked === 'disable'} title={security.disableTitle} action={security.disable} onConfirm={disable} onClose={close}
        effect={<>{security.disableEffect}{settings.require_second_factor !== 'none' && ` ${security.requiredAgain}`}</>}
      />
    </>
  );
}

export function AppCard() {
  const query = useRoute('factors', {});
  const changed = useFactorsChanged();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const stored = () => {
    setCodes(null);
    void changed();
  };
  return (
    <Card title={security.app}>
      <div className="muted">{security.appLead}</div>
      <Part query={query} height={PART_HEIGHT}>
        {({ totp_since: since, recovery_codes_left: codesLeft }) => (since === null ? <SetUp onCodes={setCodes} /> : <Present since={since} codesLeft={codesLeft} onCodes={setCodes} />)}
      </Part>
      {codes !== null && <CodesDialog codes={codes} onStored={stored} />}
    </Card>
  );
}
