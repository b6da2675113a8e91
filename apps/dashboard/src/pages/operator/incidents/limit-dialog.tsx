import { Button, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { common } from '#texts/common';
import { incidents as texts } from '#texts/incidents';
import { call, type RequestBody } from '../../../api/call';
import { keyOf } from '../../../api/use-route';
import { Dialog, DialogButtons } from '../../../components/dialog';
import { Form } from '../../../components/form';
import { instantOf } from '../../../format/local-time';
import { numberOf } from '../../../format/number';
import { meQuery } from '../../../session/person';
import { modelFilter, useModelChoices } from '../../models/model-names';
import classes from './incidents.module.css';
import { OwnersPreview } from './owners-preview';

const FIELDS = { model: 'model', requests_per_minute: 'requests', tokens_per_minute: 'tokens', concurrent_requests: 'concurrent', expires_at: 'expires' } as const;

interface LimitDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

interface Values {
  readonly model: string;
  readonly requests: string;
  readonly tokens: string;
  readonly concurrent: string;
  readonly expires: string;
}

function countOf(text: string): number | null {
  return text.trim() === '' ? null : numberOf(text.trim());
}

function bodyOf({ model, requests, tokens, concurrent, expires }: Values): RequestBody<'setIncidentLimit'> {
  return { model, requests_per_minute: countOf(requests), tokens_per_minute: countOf(tokens), concurrent_requests: countOf(concurrent), expires_at: instantOf(expires) };
}

function checkCount(text: string): string | null {
  return /^\s*\d*\s*$/.test(text) ? null : texts.countInvalid;
}

function LimitForm({ onClose }: Omit<LimitDialogProps, 'opened'>) {
  const client = useQueryClient();
  const models = useModelChoices();
  const form = useForm<Values>({
    initialValues: { model: '', requests: '', tokens: '', concurrent: '', expires: '' },
    validate: {
      model: (model) => (model === '' ? common.fieldRequired : null),
      requests: (text, { tokens, concurrent }) => ([text, tokens, concurrent].every((one) => one.trim() === '') ? texts.oneNeeded : checkCount(text)),
      tokens: checkCount, concurrent: checkCount,
    },
  });
  const set = useMutation({
    mutationFn: (values: Values) => call('setIncidentLimit', { body: bodyOf(values) }),
    onSuccess: () => {
      onClose();
      return Promise.all([client.invalidateQueries({ queryKey: keyOf('listIncidentLimits') }), client.invalidateQueries({ queryKey: meQuery.queryKey })]);
    },
  });
  return (
    <Form form={form} error={set.error} fields={FIELDS} className={classes['form']} onSubmit={(values) => set.mutate(values)}>
      <p>{texts.limitsHelp}</p>
      <Select label={texts.model} placeholder={texts.modelPlaceholder} searchable data={models} filter={modelFilter} {...form.getInputProps('model')} />
      <TextInput label={texts.requests} inputMode="numeric" autoComplete="off" {...form.getInputProps('requests')} />
      <TextInput label={texts.tokens} inputMode="numeric" autoComplete="off" {...form.getInputProps('tokens')} />
      <TextInput label={texts.concurrent} inputMode="numeric" autoComplete="off" {...form.getInputProps('concurrent')} />
      <TextInput type="datetime-local" label={texts.expires} description={texts.untilHelp} {...form.getInputProps('expires')} />
      {form.isValid() && <OwnersPreview name="preview limit" body={bodyOf(form.values)} read={(body, signal) => call('previewIncidentLimit', { body }, signal)} />}
      <DialogButtons>
        <Button variant="default" disabled={set.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={set.isPending}>{texts.setLimit}</Button>
      </DialogButtons>
    </Form>
  );
}

/** Sets an incident limit, which applies to each account. */
export function LimitDialog({ opened, onClose }: LimitDialogProps) {
  return <Dialog opened={opened} title={texts.limitTitle} onClose={onClose}><LimitForm onClose={onClose} /></Dialog>;
}
