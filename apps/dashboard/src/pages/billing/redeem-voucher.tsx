import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '#texts/common';
import { redeem as texts } from '#texts/redeem';
import { call, type Reply } from '../../api/call';
import { shortInstant } from '../../format/instant';
import { Dialog, DialogButtons } from '../../components/dialog';
import dialog from '../../components/dialog.module.css';
import { Form } from '../../components/form';
import { Note } from '../../components/note';

const PARAMS = ['code'] as const;
const MAX_CODE = 64;

function Redeemed({ redemption: { repeated, svc_tokens: amount, redeemed_at: at, credit_expires_at: expiresAt } }: { readonly redemption: Reply<'redeemVoucher'> }) {
  return (
    <Note kind={repeated ? 'info' : 'good'} announced>
      {repeated ? texts.earlier(amount, shortInstant(at)) : texts.done(amount)}{expiresAt !== null && <> {texts.creditExpires(shortInstant(expiresAt))}</>}
    </Note>
  );
}

/** The typed code is kept only in this form. */
function RedeemForm({ onClose, onBusy }: { readonly onClose: () => void; readonly onBusy: (busy: boolean) => void }) {
  const client = useQueryClient();
  const form = useForm({ initialValues: { code: '' }, validate: { code: (code) => (code.trim() === '' ? common.fieldRequired : null) } });
  const redemption = useMutation({
    mutationFn: () => call('redeemVoucher', { body: { code: form.values.code.trim() } }),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: () => client.invalidateQueries(),
  });
  if (redemption.data !== undefined) {
    return (
      <div className={dialog['form']}>
        <Redeemed redemption={redemption.data} />
        <DialogButtons><Button data-autofocus onClick={onClose}>{common.close}</Button></DialogButtons>
      </div>
    );
  }
  return (
    <Form form={form} error={redemption.error} fields={PARAMS} className={dialog['form']} onSubmit={() => redemption.mutate()}>
      <TextInput
        label={texts.code} description={texts.codeHelp} placeholder={texts.example} maxLength={MAX_CODE} autoComplete="off" autoCapitalize="characters" spellCheck={false} data-autofocus
        classNames={{ input: 'mono' }} {...form.getInputProps('code')}
      />
      <DialogButtons>
        <Button variant="default" disabled={redemption.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={redemption.isPending}>{texts.action}</Button>
      </DialogButtons>
    </Form>
  );
}

export function RedeemVoucher() {
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>{texts.open}</Button>
      <Dialog opened={isOpen} title={texts.open} busy={busy} onClose={() => setOpen(false)}><RedeemForm onClose={() => setOpen(false)} onBusy={setBusy} /></Dialog>
    </>
  );
}
