import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '#texts/common';
import { machines as texts } from '#texts/machines';
import { call } from '../../../api/call';
import { Dialog, DialogButtons } from '../../../components/dialog';
import { Form } from '../../../components/form';
import { useFreshCall } from '../../../components/fresh-proof';
import type { IssuedMachine, Scope } from './machine';
import { MachineTermsFields } from './machine-fields';
import { creationOf, EMPTY_FIELDS, faultsOf, type MachineFields, PARAMS } from './machine-form';
import classes from './machines.module.css';
import { gatewayNow } from '../../../format/gateway-time';

interface CreateDialogProps {
  readonly opened: boolean;
  readonly grantable: readonly Scope[];
  readonly onClose: () => void;
  readonly onIssued: (issued: IssuedMachine) => void;
}

/** The reply is passed to `onIssued` only: the cache would keep it for minutes. */
function CreateForm({ grantable, onClose, onIssued, onBusy }: Omit<CreateDialogProps, 'opened'> & { readonly onBusy: (busy: boolean) => void }) {
  const fresh = useFreshCall();
  const form = useForm<MachineFields>({ initialValues: EMPTY_FIELDS, validate: (fields) => faultsOf(fields, gatewayNow()) });
  const create = useMutation({
    mutationFn: async (fields: MachineFields) => onIssued(await fresh(() => call('createMachine', { body: creationOf(fields, gatewayNow()) }))),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
  });
  return (
    <Form form={form} error={create.error} fields={PARAMS} className={classes['form']} onSubmit={(fields) => create.mutate(fields)}>
      <MachineTermsFields form={form} grantable={grantable} />
      <DialogButtons>
        <Button variant="default" disabled={create.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={create.isPending}>{texts.create}</Button>
      </DialogButtons>
    </Form>
  );
}

export function CreateDialog({ opened, ...props }: CreateDialogProps) {
  const [busy, setBusy] = useState(false);
  return <Dialog opened={opened} size={560} title={texts.create} busy={busy} onClose={props.onClose}><CreateForm {...props} onBusy={setBusy} /></Dialog>;
}
