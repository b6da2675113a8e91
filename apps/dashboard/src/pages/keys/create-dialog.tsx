import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '#texts/common';
import { keys as texts } from '#texts/keys';
import { call, type Reply } from '../../api/call';
import { Dialog, DialogButtons } from '../../components/dialog';
import { Form } from '../../components/form';
import { ExpiryField, KeyTermsFields } from './key-fields';
import { creationOf, emptyFields, faultsOf, PARAMS, type KeyFields } from './key-form';
import classes from './keys.module.css';
import { useKeysChanged } from './use-keys-changed';
import { gatewayNow } from '../../format/gateway-time';

/** Reply that contains the secret. No later reply contains it. */
export type IssuedKey = Reply<'createKey'>;

interface CreateDialogProps {
  readonly opened: boolean;
  /** Initial value. */
  readonly name: string;
  readonly onClose: () => void;
  readonly onIssued: (issued: IssuedKey) => void;
}

/** The reply is passed to `onIssued` only: the cache would keep it for minutes. */
function CreateForm({ name, onClose, onIssued, onBusy }: Omit<CreateDialogProps, 'opened'> & { readonly onBusy: (busy: boolean) => void }) {
  const form = useForm<KeyFields>({ initialValues: emptyFields(name), validate: (fields) => faultsOf(fields, gatewayNow()) });
  const keysChanged = useKeysChanged();
  const create = useMutation({
    mutationFn: async (fields: KeyFields) => onIssued(await call('createKey', { body: creationOf(fields, gatewayNow()) })),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: keysChanged,
  });
  return (
    <Form form={form} error={create.error} fields={PARAMS} className={classes['form']} onSubmit={(fields) => create.mutate(fields)}>
      <KeyTermsFields form={form}><ExpiryField form={form} /></KeyTermsFields>
      <DialogButtons>
        <Button variant="default" disabled={create.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={create.isPending}>{texts.form.action}</Button>
      </DialogButtons>
    </Form>
  );
}

export function CreateDialog({ opened, ...props }: CreateDialogProps) {
  const [busy, setBusy] = useState(false);
  return <Dialog opened={opened} title={texts.form.title} busy={busy} onClose={props.onClose}><CreateForm {...props} onBusy={setBusy} /></Dialog>;
}
