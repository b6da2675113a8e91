import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '#texts/common';
import { Dialog, DialogButtons } from '../../components/dialog';
import { Form } from '../../components/form';
import { useFreshCall } from '../../components/fresh-proof';
import type { Side } from './side';
import { WebhookTermsFields } from './webhook-fields';
import { faultsOf, PARAMS, type WebhookFields } from './webhook-form';
import classes from './webhooks.module.css';

interface TermsDialogProps {
  readonly title: string;
  readonly action: string;
  readonly whose: Side['whose'];
  readonly initial: WebhookFields;
  /** A rejection is shown in the open dialog. */
  readonly onSubmit: (fields: WebhookFields) => Promise<unknown>;
  readonly onClose: () => void;
}

function TermsForm({ action, whose, initial, onSubmit, onClose, onBusy }: Omit<TermsDialogProps, 'title'> & { readonly onBusy: (busy: boolean) => void }) {
  const fresh = useFreshCall();
  const form = useForm<WebhookFields>({ initialValues: initial, validate: (fields) => faultsOf(fields, whose) });
  const submit = useMutation({
    mutationFn: async (fields: WebhookFields) => { await fresh(() => onSubmit(fields)); },
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
  });
  return (
    <Form form={form} error={submit.error} fields={PARAMS} className={classes['form']} onSubmit={(fields) => submit.mutate(fields)}>
      <WebhookTermsFields form={form} whose={whose} />
      <DialogButtons>
        <Button variant="default" disabled={submit.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={submit.isPending}>{action}</Button>
      </DialogButtons>
    </Form>
  );
}

/** Asks for the terms of a new webhook, or changes those of an existing one. */
export function TermsDialog({ title, ...props }: TermsDialogProps) {
  const [busy, setBusy] = useState(false);
  return <Dialog opened size={560} title={title} busy={busy} onClose={props.onClose}><TermsForm {...props} onBusy={setBusy} /></Dialog>;
}
