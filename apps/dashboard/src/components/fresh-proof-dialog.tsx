import { Anchor, Button, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { common } from '#texts/common';
import { proof } from '#texts/proof';
import { hasCode } from '../api/api-error';
import { call } from '../api/call';
import { signInWithPasskey, supportsPasskeys } from '../session/passkeys';
import { meQuery, useSignOut } from '../session/person';
import { Dialog, DialogButtons } from './dialog';
import classes from './dialog.module.css';
import { FormProblem } from './form-problem';

type Kind = keyof typeof proof.kinds;

const KINDS: readonly Kind[] = ['password', 'totp', 'recovery'];
const ABOVE_DIALOGS = 300;

function prove(kind: Kind, text: string): Promise<unknown> {
  switch (kind) {
    case 'password': return call('provePassword', { body: { password: text } });
    case 'totp': return call('verifyTotp', { body: { code: text } });
    case 'recovery': return call('useRecoveryCode', { body: { code: text } });
  }
}

/** Begins a new session. If the passkey belongs to another person, opens the dashboard as that person and never resolves. */
async function proveByPasskey(personId: string | undefined): Promise<void> {
  await signInWithPasskey();
  const { person } = await call('me', {});
  if (person.id !== personId) {
    window.location.assign('/dashboard');
    await new Promise(() => undefined);
  }
}

function hereInDashboard(): string {
  const { pathname, search } = window.location;
  return pathname.replace(/^\/dashboard/, '') + search;
}

interface FreshProofDialogProps {
  readonly onProven: () => void;
  readonly onCancelled: () => void;
}

/** Asks for a new proof of identity: password, code or passkey, as available. */
export function FreshProofDialog({ onProven, onCancelled }: FreshProofDialogProps) {
  const person = useQuery(meQuery).data?.person;
  const byPasskey = useMutation({ mutationFn: () => proveByPasskey(person?.id), onSuccess: onProven });
  const [busy, setBusy] = useState(false);
  const factors = person?.factors ?? [];
  return (
    <Dialog opened title={proof.title} busy={busy || byPasskey.isPending} onClose={onCancelled} zIndex={ABOVE_DIALOGS}>
      <div>{proof.why}</div>
      {factors.includes('passkey') && supportsPasskeys() && <Button variant="default" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>{proof.withPasskey}</Button>}
      <FormProblem error={byPasskey.error} provesPerson />
      <ProofForm hasCodes={factors.includes('totp')} onProven={onProven} onCancelled={onCancelled} onBusy={setBusy} />
    </Dialog>
  );
}

interface ProofFormProps extends FreshProofDialogProps {
  readonly hasCodes: boolean;
  readonly onBusy: (busy: boolean) => void;
}

function ProofForm({ hasCodes, onProven, onCancelled, onBusy }: ProofFormProps) {
  const [kind, setKind] = useState<Kind>('password');
  const [text, setText] = useState('');
  const [missing, setMissing] = useState(false);
  const signOut = useSignOut();
  const act = useMutation({ mutationFn: () => prove(kind, text), onSuccess: onProven, onMutate: () => onBusy(true), onSettled: () => onBusy(false) });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(text === '');
    if (text !== '') act.mutate();
  };
  const wrong = hasCode(act.error, 'sign_in_failed') ? proof.wrong[kind] : undefined;
  const field = {
    label: proof.labels[kind], description: proof.hints[kind], value: text, error: missing ? proof.required : wrong, 'data-autofocus': true,
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setText(currentTarget.value),
  };
  return (
    <form className={classes['form']} onSubmit={submit}>
      {hasCodes && (
        <SegmentedControl
          fullWidth aria-label={proof.kind} value={kind} data={KINDS.map((value) => ({ value, label: proof.kinds[value] }))}
          onChange={(next) => { setKind(next); setText(''); setMissing(false); act.reset(); }}
        />
      )}
      {kind === 'password' ? <PasswordInput key={kind} {...field} autoComplete="current-password" /> : <TextInput key={kind} {...field} autoComplete="one-time-code" inputMode={kind === 'totp' ? 'numeric' : 'text'} />}
      {wrong === undefined && <FormProblem error={act.error} provesPerson />}
      {!hasCodes && <p className="muted">{proof.noPassword} <Anchor component="button" type="button" inherit underline="always" onClick={() => void signOut(hereInDashboard())}>{proof.signInAgain}</Anchor></p>}
      <DialogButtons>
        <Button variant="default" disabled={act.isPending} onClick={onCancelled}>{common.cancel}</Button>
        <Button type="submit" loading={act.isPending}>{proof.confirm}</Button>
      </DialogButtons>
    </form>
  );
}
