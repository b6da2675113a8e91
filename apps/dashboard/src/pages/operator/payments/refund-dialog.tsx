import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { common } from '#texts/common';
import { operatorPayments as texts } from '#texts/operator-payments';
import { call, type Reply } from '../../../api/call';
import { Dialog, DialogButtons } from '../../../components/dialog';
import dialog from '../../../components/dialog.module.css';
import { Form } from '../../../components/form';
import { useFreshCall } from '../../../components/fresh-proof';

const FIELDS = ['amount', 'reason'] as const;
const PRICE = /^\d{1,12}(\.\d{1,4})?$/;
const { refund } = texts;

interface RefundDialogProps {
  readonly payment: Pick<Reply<'readAnyPayment'>, 'id' | 'currency'>;
  readonly onClose: () => void;
  readonly onRequested: () => void;
}

function RefundForm({ payment: { id, currency }, onClose, onRequested }: RefundDialogProps) {
  const fresh = useFreshCall();
  const form = useForm({
    initialValues: { amount: '', reason: '' },
    validate: {
      amount: (amount) => (amount.trim() === '' || PRICE.test(amount.trim()) ? null : refund.invalid),
      reason: (reason) => (reason.trim() === '' ? common.fieldRequired : null),
    },
  });
  const request = useMutation({
    mutationFn: () => fresh(() => call('refundPayment', { params: { id }, body: { amount: form.values.amount.trim() === '' ? null : form.values.amount.trim(), reason: form.values.reason.trim() } })),
    onSuccess: onRequested,
  });
  return (
    <Form form={form} error={request.error} fields={FIELDS} className={dialog['form']} onSubmit={() => request.mutate()}>
      <div className="in-text">{refund.effect}</div>
      <TextInput label={refund.amount(currency)} description={refund.all} inputMode="decimal" autoComplete="off" maxLength={20} data-autofocus {...form.getInputProps('amount')} />
      <TextInput label={refund.reason} autoComplete="off" maxLength={500} {...form.getInputProps('reason')} />
      <DialogButtons>
        <Button variant="default" disabled={request.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" color="red" loading={request.isPending}>{refund.action}</Button>
      </DialogButtons>
    </Form>
  );
}

export function RefundDialog({ opened, ...props }: RefundDialogProps & { readonly opened: boolean }) {
  return <Dialog opened={opened} title={refund.title} onClose={props.onClose}><RefundForm {...props} /></Dialog>;
}
