import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { readdressing as texts } from '#texts/account-acts';
import { common } from '#texts/common';
import { call } from '../../../../api/call';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { Form } from '../../../../components/form';
import { useFreshCall } from '../../../../components/fresh-proof';
import { emailFault } from '../../../../components/typed-fault';
import { done, unchanged, useRefreshAccount, type ActProps } from '../acts/account-data';
import classes from './dialogs.module.css';

const PARAMS = { email: 'email' } as const;

function AddressForm({ account, onClose, onDone }: ActProps) {
  const fresh = useFreshCall();
  const refresh = useRefreshAccount();
  const form = useForm({ initialValues: { email: '' }, validate: { email: emailFault } });
  const typed = form.values.email.trim();
  const change = useMutation({
    mutationFn: () => fresh(() => call('changeAddressOfAccount', { params: { id: account.id }, body: { email: typed } })),
    onSuccess: ({ outcome, email: address }) => {
      onDone(outcome === 'changed' ? done(texts.changed(address)) : unchanged(texts.isSame));
      onClose();
      return refresh();
    },
  });
  return (
    <Form form={form} error={change.error} fields={PARAMS} className={classes['form']} onSubmit={() => change.mutate()}>
      <TextInput type="email" label={texts.email} description={texts.help} autoComplete="off" data-autofocus {...form.getInputProps('email')} />
      <p className="muted">{texts.effect}</p>
      <p className="muted">{texts.handOver}</p>
      <DialogButtons>
        <Button variant="default" disabled={change.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={change.isPending} disabled={typed === ''}>{texts.act}</Button>
      </DialogButtons>
    </Form>
  );
}

export function AddressDialog(props: ActProps) {
  return <Dialog opened={props.opened} title={texts.title(props.account.email)} onClose={props.onClose}><AddressForm {...props} /></Dialog>;
}
