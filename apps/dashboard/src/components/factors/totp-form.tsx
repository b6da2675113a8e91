import { Anchor, Button, Skeleton, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState, type SubmitEvent } from 'react';
import { factors } from '#texts/factors';
import { hasCode } from '../../api/api-error';
import { call, type Reply } from '../../api/call';
import { common } from '#texts/common';
import { CopyButton } from '../copy-button';
import { FormProblem } from '../form-problem';
import { selectText } from '../select-text';
import classes from './factors.module.css';

const QrCode = lazy(() => import('./qr-code'));

interface TotpFormProps {
  readonly enrolment: Reply<'enableTotp'>;
  /** Receives the recovery codes, which only the reply to the confirmation contains. */
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
}

/** Shows the secret as QR code and text, and asks for the first code as confirmation. */
export function TotpForm({ enrolment: { secret, uri }, onConfirmed }: TotpFormProps) {
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const secretText = useRef<HTMLElement>(null);
  const confirm = useMutation({ mutationFn: () => call('verifyTotp', { body: { code } }), onSuccess: ({ recovery_codes: codes }) => onConfirmed(codes ?? []) });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(code.trim() === '');
    if (code.trim() !== '') confirm.mutate();
  };
  const wrong = hasCode(confirm.error, 'sign_in_failed') ? factors.codeWrong : undefined;
  return (
    <form className={classes['steps']} onSubmit={submit}>
      <div>{factors.scan}</div>
      <div className={classes['code']}><Suspense fallback={<Skeleton h={192} w={192} />}><QrCode text={uri} /></Suspense></div>
      <div className={classes['secret']}>
        <span>{factors.secret}</span>
        <code className="mono" ref={secretText}>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        <CopyButton text={secret} onFailed={() => selectText(secretText.current)} />
      </div>
      <Anchor href={uri} inherit>{factors.openApp}</Anchor>
      <TextInput
        label={factors.code} description={factors.codeNote} inputMode="numeric" autoComplete="one-time-code" maxLength={64} value={code}
        error={missing ? common.fieldRequired : wrong} onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      {wrong === undefined && <FormProblem error={confirm.error} provesPerson />}
      <div className={classes['end']}><Button type="submit" loading={confirm.isPending}>{factors.confirmApp}</Button></div>
    </form>
  );
}
