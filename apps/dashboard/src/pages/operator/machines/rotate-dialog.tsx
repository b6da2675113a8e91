import { Button, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '#texts/common';
import { machines as texts } from '#texts/machines';
import { call } from '../../../api/call';
import { Dialog, DialogButtons } from '../../../components/dialog';
import { Form } from '../../../components/form';
import { useFreshCall } from '../../../components/fresh-proof';
import { type IssuedMachine, type Machine, replacedUntil } from './machine';
import { ExpiryField } from './machine-fields';
import { EMPTY_ROTATION, expiryFaults, PARAMS, type RotationFields, rotationOf } from './machine-form';
import classes from './machines.module.css';
import { gatewayNow } from '../../../format/gateway-time';

const { rotate: labels } = texts;
const OVERLAPS = Object.entries(labels.overlaps).map(([value, label]) => ({ value, label }));

interface RotateDialogProps {
  readonly machine: Machine;
  readonly onClose: () => void;
  readonly onIssued: (issued: IssuedMachine) => void;
}

function RotateForm({ machine, onClose, onIssued, onBusy }: RotateDialogProps & { readonly onBusy: (busy: boolean) => void }) {
  const fresh = useFreshCall();
  const form = useForm<RotationFields>({ initialValues: EMPTY_ROTATION, validate: (fields) => expiryFaults(fields, gatewayNow()) });
  const rotate = useMutation({
    mutationFn: async (fields: RotationFields) => onIssued(await fresh(() => call('rotateMachine', { params: { id: machine.id }, body: rotationOf(fields, gatewayNow()) }))),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
  });
  return (
    <Form form={form} error={rotate.error} fields={PARAMS} className={classes['form']} onSubmit={(fields) => rotate.mutate(fields)}>
      <div className="in-text">{labels.effect}{replacedUntil(machine) !== null && ` ${labels.earlier}`}</div>
      <Select label={labels.overlap} description={labels.overlapHelp} data={OVERLAPS} allowDeselect={false} {...form.getInputProps('overlap')} />
      <ExpiryField form={form} />
      <DialogButtons>
        <Button variant="default" disabled={rotate.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={rotate.isPending}>{labels.action}</Button>
      </DialogButtons>
    </Form>
  );
}

export function RotateDialog(props: RotateDialogProps) {
  const [busy, setBusy] = useState(false);
  return <Dialog opened title={labels.title(props.machine.name)} busy={busy} onClose={props.onClose}><RotateForm {...props} onBusy={setBusy} /></Dialog>;
}
