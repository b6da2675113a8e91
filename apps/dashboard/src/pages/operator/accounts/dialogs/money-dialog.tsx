import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { common } from '#texts/common';
import { money } from '#texts/operator-accounts';
import { useRate } from '../../../../api/use-rate';
import { Amount } from '../../../../components/amount';
import { amountFault } from '../../../../components/amount-fault';
import { AmountInput } from '../../../../components/amount-input';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { FormProblem } from '../../../../components/form-problem';
import { useFreshCall } from '../../../../components/fresh-proof';
import { blankFault } from '../../../../components/typed-fault';
import { useFormFaults } from '../../../../components/use-form-faults';
import { typedAmount } from '../../../../format/amount';
import { isFutureDay, utcDay } from '../../../../format/day';
import { gatewayNow } from '../../../../format/gateway-time';
import { useMe } from '../../../../session/person';
import { useRefreshAccount, type ActProps } from '../acts/account-data';
import { afterBooking, amountIn, isSameAmount, isRequestId, refundReference, worthOf, type BookedKind } from '../acts/booking';
import { isBeyond, refundableOf } from '../acts/charge';
import type { MoneyAct } from '../acts/open-act';
import { book, inBoth, outcomeOf, type Booking } from './book';
import classes from './dialogs.module.css';
import { ChargeOf, useCharge } from './charge-of';
import { overRefund } from './over-refund';
import { RequestInput } from './request-input';

interface MoneyDialogProps extends ActProps {
  readonly act: MoneyAct;
  /** Prefilled for a refund. */
  readonly requestId?: string | undefined;
}

const FIELDS = { svc_tokens: 'amount', request_id: 'requestId', reference: 'reference', reason: 'reason', expires_at: 'expires' } as const;

interface Values extends Booking {
  /** The amount to lower, typed a second time. */
  readonly again: string;
}

function validate({ kind, amount, again, requestId, reference, reason, expires }: Values) {
  return {
    amount: amountFault(amount),
    again: kind === 'lower' && !isSameAmount(amount, again) ? money.differs : null,
    requestId: kind === 'refund' && !isRequestId(requestId) ? money.requestInvalid : null,
    reference: blankFault(reference),
    reason: blankFault(reason),
    expires: kind === 'credit' && expires !== '' && !isFutureDay(expires, gatewayNow()) ? money.expiresInvalid : null,
  };
}

function MoneyForm({ account, act, requestId = '', onClose, onDone, onBusy }: Omit<MoneyDialogProps, 'opened'> & { readonly onBusy: (busy: boolean) => void }) {
  const refresh = useRefreshAccount();
  const fresh = useFreshCall();
  const me = useMe();
  const first: BookedKind = act === 'correct' ? 'raise' : act;
  const form = useForm<Values>({ initialValues: { kind: first, amount: '', again: '', requestId, reference: refundReference(requestId), reason: '', expires: '' }, validate });
  const { kind, amount } = form.values;
  const { rate } = useRate();
  const client = useQueryClient();
  const charge = useCharge(act === 'refund' ? form.values.requestId : '', account.id);
  const refundable = charge === null || typeof charge === 'string' ? null : refundableOf(charge);
  const beyond = refundable !== null && isBeyond(amount, refundable) ? money.beyond(inBoth(refundable, rate)) : null;
  const booking = useMutation({
    mutationFn: async (values: Values) => outcomeOf(await fresh(() => book(account.id, values)).catch((error: unknown) => overRefund(error, { client, values, rate })), { accountId: account.id, rate, me: me.person }),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: (outcome) => {
      onDone(outcome);
      onClose();
      return refresh();
    },
  });
  const { root, hidden, onRefused } = useFormFaults<HTMLFormElement>(form, { error: booking.error, fields: FIELDS });
  const after = afterBooking(account.balance.available.svc_tokens, amount, kind);
  const typed = typedAmount(amount);
  const confirm = form.onSubmit((values) => {
    if (beyond === null) return booking.mutate(values);
    form.setFieldError('amount', beyond);
    onRefused();
  }, onRefused);
  // Keeps a reference that the operator typed.
  const choose = (request: string) => {
    form.setFieldValue('requestId', request);
    form.clearFieldError('amount');
    if (form.values.reference === refundReference(form.values.requestId)) form.setFieldValue('reference', refundReference(request));
  };
  const isDangerous = kind === 'lower';
  // Enter in a field never lowers a balance.
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isDangerous) confirm();
  };
  return (
    <form ref={root} className={classes['form']} onSubmit={submit} noValidate>
      <FormProblem error={booking.error} fields={FIELDS} hidden={hidden} />
      {act === 'correct' && (
        <SegmentedControl aria-label={money.direction} data={[{ value: 'raise', label: money.raise }, { value: 'lower', label: money.lower }]} {...form.getInputProps('kind')} />
      )}
      {act === 'refund' && <RequestInput accountId={account.id} {...form.getInputProps('requestId')} onChange={choose} data-autofocus={requestId === '' || undefined} />}
      {act === 'refund' && <ChargeOf charge={charge} rate={rate} />}
      <AmountInput label={money.amount} unit="usd" data-autofocus={act !== 'refund' || requestId !== '' || undefined} {...form.getInputProps('amount')} value={amount} error={form.errors['amount'] ?? beyond} />
      {kind === 'lower' && <AmountInput label={money.again} unit="usd" {...form.getInputProps('again')} value={form.values.again} />}
      <TextInput label={money.reference} description={money.referenceHelp} maxLength={200} autoComplete="off" {...form.getInputProps('reference')} />
      <TextInput label={money.reason} description={money.reasonHelp} maxLength={500} autoComplete="off" {...form.getInputProps('reason')} />
      {act === 'credit' && <TextInput type="date" label={money.expires} description={money.expiresHelp} min={utcDay()} {...form.getInputProps('expires')} />}
      <output className={classes['after']} aria-live="polite">
        <span className="muted">{money.afterwards}</span>
        {after === null || beyond !== null ? <span>{common.none}</span> : <strong><Amount value={after.available} {...(rate === undefined ? {} : { usd: worthOf(after.available, rate) })} /></strong>}
        {after?.isBelowZero === true && <span className={classes['warning']}>{money.belowZero}</span>}
      </output>
      <DialogButtons>
        <Button variant="default" disabled={booking.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button loading={booking.isPending} {...(isDangerous ? { variant: 'outline', color: 'red', onClick: () => confirm() } : { type: 'submit' })}>
          {money.buttons[kind](typed === null || typed.startsWith('-') ? '' : amountIn(typed, rate)).trim()}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Asks for a booking, and shows the balance after it. */
export function MoneyDialog({ opened, ...props }: MoneyDialogProps) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog opened={opened} title={money.titles[props.act](props.account.email)} busy={busy} onClose={props.onClose}>
      <MoneyForm {...props} onBusy={setBusy} />
    </Dialog>
  );
}
