import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { readdressing as texts } from '#texts/account-acts';
import { common } from '#texts/common';
import { call } from '../../../../api/call';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { fieldErrors } from '../../../../components/form-errors';
import { FormProblem } from '../../../../components/form-problem';
import { useFreshCall } from '../../../../components/fresh-proof';
import { done, unchanged, useRefreshAccount, type ActProps } from '../acts/account-data';
import classes from './dialogs.module.css';

const PARAMS = { email: 'email' } as const;

function AddressForm({ account, onClose, onDone }: ActProps) {
  const fresh = useFreshCall();
  const refresh = useRefreshAccount();
  const [email, setEmail] = useState('');
  const typed = email.trim();
  const change = useMutation({
    mutationFn: () => fresh(() => call('changeAddressOfAccount', { params: { id: account.id }, body: { email: typed } })),
    onSuccess: ({ outcome, email: address }) => {
      onDone(outcome === 'changed' ? done(texts.changed(address)) : unchanged(texts.isSame));
      onClose();
      return refresh();
    },
  });
  return (
    <form className={classes['form']} noValidate onSubmit={(event) => { event.preventDefault(); change.mutate(); }}>
      <TextInput
        type="email" label={texts.email} description={texts.help} value={email} autoComplete="off" error={fieldErrors(change.error, PARAMS)['email']} data-autofocus
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <p className="muted">{texts.effect}</p>
      <p className="muted">{texts.handOver}</p>
      <FormProblem error={change.error} fields={PARAMS} />
      <DialogButtons>
        <Button variant="default" disabled={change.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={change.isPending} disabled={typed === ''}>{texts.act}</Button>
      </DialogButtons>
    </form>
  );
}

export function AddressDialog(props: ActProps) {
  return <Dialog opened={props.opened} title={texts.title(props.account.email)} onClose={props.onClose}><AddressForm {...props} /></Dialog>;
}
