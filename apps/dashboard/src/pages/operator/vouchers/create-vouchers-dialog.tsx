import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '#texts/common';
import { vouchers as texts } from '#texts/vouchers';
import { call, type Reply } from '../../../api/call';
import { AmountInput } from '../../../components/amount-input';
import { Dialog, DialogButtons } from '../../../components/dialog';
import { Form } from '../../../components/form';
import { useFreshCall } from '../../../components/fresh-proof';
import { addDays, utcDay } from '../../../format/day';
import { creationOf, EMPTY_FIELDS, faultsOf, MAX_DAYS, PARAMS, type VoucherFields } from './voucher-form';
import classes from './vouchers.module.css';
import { gatewayNow } from '../../../format/gateway-time';

const { form: labels } = texts;
const MAX_NOTE = 500;
const MAX_NAME = 200;

export type IssuedVouchers = Reply<'createVouchers'>;

interface CreateVouchersProps {
  readonly onClose: () => void;
  readonly onIssued: (issued: IssuedVouchers) => void;
}

/** The reply is passed to `onIssued` only: the cache would keep it for minutes. */
function CreateForm({ onClose, onIssued, onBusy }: CreateVouchersProps & { readonly onBusy: (busy: boolean) => void }) {
  const fresh = useFreshCall();
  const form = useForm<VoucherFields>({ initialValues: EMPTY_FIELDS, validate: (fields) => faultsOf(fields, gatewayNow()) });
  const create = useMutation({
    mutationFn: async (fields: VoucherFields) => onIssued(await fresh(() => call('createVouchers', { body: creationOf(fields) }))),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
  });
  return (
    <Form form={form} error={create.error} fields={PARAMS} className={classes['form']} onSubmit={(fields) => create.mutate(fields)}>
      <TextInput label={labels.name} description={labels.nameHelp} maxLength={MAX_NAME} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <AmountInput label={labels.amount} {...form.getInputProps('amount')} value={form.values.amount} />
      <div className={classes['pair']}>
        <TextInput label={labels.count} description={labels.countHelp} inputMode="numeric" autoComplete="off" {...form.getInputProps('count')} />
        <TextInput label={labels.uses} description={labels.usesHelp} inputMode="numeric" autoComplete="off" {...form.getInputProps('uses')} />
      </div>
      <TextInput type="date" label={labels.expires} description={labels.expiresHelp} min={utcDay()} max={addDays(utcDay(), MAX_DAYS)} {...form.getInputProps('day')} />
      <TextInput label={labels.creditDays} description={labels.creditDaysHelp} inputMode="numeric" autoComplete="off" {...form.getInputProps('creditDays')} />
      <Textarea label={labels.note} description={labels.noteHelp} maxLength={MAX_NOTE} autosize minRows={1} maxRows={4} autoComplete="off" {...form.getInputProps('note')} />
      <DialogButtons>
        <Button variant="default" disabled={create.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={create.isPending}>{texts.create}</Button>
      </DialogButtons>
    </Form>
  );
}

export function CreateVouchersDialog({ opened, ...props }: CreateVouchersProps & { readonly opened: boolean }) {
  const [busy, setBusy] = useState(false);
  return <Dialog opened={opened} size={560} title={texts.create} busy={busy} onClose={props.onClose}><CreateForm {...props} onBusy={setBusy} /></Dialog>;
}
