import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { common } from '#texts/common';
import { incidents as texts } from '#texts/incidents';
import { call, type RequestBody } from '../../../api/call';
import { keyOf } from '../../../api/use-route';
import { Dialog, DialogButtons } from '../../../components/dialog';
import { Form } from '../../../components/form';
import { instantOf } from '../../../format/local-time';
import { meQuery } from '../../../session/person';
import classes from './incidents.module.css';
import { OwnersPreview } from './owners-preview';

const FIELDS = ['from', 'until', 'message'] as const;

interface MaintenanceDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

interface Values {
  readonly from: string;
  readonly until: string;
  readonly message: string;
}

function bodyOf({ from, until, message }: Values): Extract<RequestBody<'setMaintenance'>, { readonly state: 'on' }> {
  return { state: 'on', from: instantOf(from), until: instantOf(until), message: message.trim() === '' ? null : message.trim() };
}

function MaintenanceForm({ onClose }: Omit<MaintenanceDialogProps, 'opened'>) {
  const client = useQueryClient();
  const form = useForm<Values>({ initialValues: { from: '', until: '', message: '' } });
  const start = useMutation({
    mutationFn: (values: Values) => call('setMaintenance', { body: bodyOf(values) }),
    onSuccess: () => {
      onClose();
      return Promise.all([client.invalidateQueries({ queryKey: keyOf('maintenance') }), client.invalidateQueries({ queryKey: meQuery.queryKey })]);
    },
  });
  return (
    <Form form={form} error={start.error} fields={FIELDS} className={classes['form']} onSubmit={(values) => start.mutate(values)}>
      <p>{texts.effect}</p>
      <TextInput type="datetime-local" label={texts.from} description={texts.fromHelp} {...form.getInputProps('from')} />
      <TextInput type="datetime-local" label={texts.until} description={texts.untilHelp} {...form.getInputProps('until')} />
      <Textarea label={texts.message} description={texts.messageHelp} maxLength={500} autosize minRows={2} {...form.getInputProps('message')} />
      <OwnersPreview name="preview maintenance" body={bodyOf(form.values)} read={(body, signal) => call('previewMaintenance', { body }, signal)} />
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={start.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" variant="outline" color="red" loading={start.isPending}>{form.values.from === '' ? texts.start : texts.plan}</Button>
      </DialogButtons>
    </Form>
  );
}

export function MaintenanceDialog({ opened, onClose }: MaintenanceDialogProps) {
  return <Dialog opened={opened} title={texts.startTitle} onClose={onClose}><MaintenanceForm onClose={onClose} /></Dialog>;
}
