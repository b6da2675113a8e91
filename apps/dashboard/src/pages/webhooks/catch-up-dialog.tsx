import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { common } from '#texts/common';
import { webhooks as texts } from '#texts/webhooks';
import { Dialog, DialogButtons } from '../../components/dialog';
import { Form } from '../../components/form';
import { sinceOf } from './webhook-form';
import classes from './webhooks.module.css';
import { gatewayNow } from '../../format/gateway-time';

const { catchUp: labels } = texts;

interface CatchUpDialogProps {
  /** `since` is RFC 3339. A rejection is shown in the open dialog. */
  readonly onConfirm: (since: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function CatchUpDialog({ onConfirm, onClose }: CatchUpDialogProps) {
  const form = useForm({ initialValues: { since: '' }, validate: { since: (local) => (sinceOf(local, gatewayNow()) === null ? labels.sinceInvalid : null) } });
  const send = useMutation({ mutationFn: () => onConfirm(sinceOf(form.values.since, gatewayNow()) ?? ''), onSuccess: onClose });
  return (
    <Dialog opened title={labels.title} busy={send.isPending} onClose={onClose}>
      <Form form={form} error={send.error} fields={['since']} className={classes['form']} onSubmit={() => send.mutate()}>
        <div className="in-text">{labels.effect}</div>
        <TextInput type="datetime-local" label={labels.since} description={labels.sinceHelp} data-autofocus {...form.getInputProps('since')} />
        <DialogButtons>
          <Button variant="default" disabled={send.isPending} onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" loading={send.isPending}>{labels.action}</Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
