import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { blocklists } from '#texts/blocklists';
import { common } from '#texts/common';
import { call, type Reply } from '../../../api/call';
import { Dialog, DialogButtons } from '../../../components/dialog';
import { FormProblem } from '../../../components/form-problem';
import { Note } from '../../../components/note';
import { useFormFaults } from '../../../components/use-form-faults';
import classes from './blocklists.module.css';
import { gatewayNow } from '../../../format/gateway-time';
import { instantOf } from '../../../format/local-time';

type Block = Reply<'block'>;

interface BlockDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onBlocked: (block: Block) => void;
}

const FIELDS = { subject: 'subject', reason: 'reason', expires_at: 'expires' } as const;
const KINDS = ['account', 'key', 'network'] as const;

function BlockForm({ onClose, onBlocked }: Omit<BlockDialogProps, 'opened'>) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { kind: 'account' as Block['kind'], subject: '', reason: '', expires: '' },
    validate: {
      subject: (text) => (text.trim() === '' ? common.fieldRequired : null),
      expires: (local) => (local !== '' && Date.parse(local) <= gatewayNow().getTime() ? blocklists.expiresPast : null),
    },
  });
  const { kind } = form.values;
  const blocking = useMutation({
    mutationFn: ({ subject, reason, expires }: typeof form.values) => {
      const terms = { subject: subject.trim(), reason: reason.trim() === '' ? null : reason.trim(), expires_at: instantOf(expires) };
      return kind === 'network' ? call('block', { body: { kind, ...terms } }) : call('block', { body: { kind, ...terms } });
    },
    onSuccess: (block) => {
      onBlocked(block);
      onClose();
      return client.invalidateQueries({ queryKey: ['list'] });
    },
  });
  const { root, hidden, onRefused } = useFormFaults<HTMLDivElement>(form, { error: blocking.error, fields: FIELDS });
  return (
    <div ref={root} className={classes['form']}>
      <FormProblem error={blocking.error} fields={FIELDS} hidden={hidden} />
      <SegmentedControl aria-label={blocklists.kind} data={KINDS.map((value) => ({ value, label: blocklists.kinds[value] }))} {...form.getInputProps('kind')} />
      <TextInput label={blocklists.subjects[kind]} placeholder={blocklists.examples[kind]} autoComplete="off" spellCheck={false} data-autofocus {...form.getInputProps('subject')} />
      <TextInput label={blocklists.reason} description={blocklists.reasonHelp} maxLength={500} autoComplete="off" {...form.getInputProps('reason')} />
      <TextInput label={blocklists.expires} description={blocklists.expiresHelp} type="datetime-local" {...form.getInputProps('expires')} />
      <Note kind="warning">{blocklists.effects[kind]}</Note>
      <DialogButtons>
        <Button variant="default" disabled={blocking.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button variant="outline" color="red" loading={blocking.isPending} onClick={() => form.onSubmit((values) => blocking.mutate(values), onRefused)()}>{blocklists.block}</Button>
      </DialogButtons>
    </div>
  );
}

export function BlockDialog({ opened, ...props }: BlockDialogProps) {
  return <Dialog opened={opened} title={blocklists.blockTitle} onClose={props.onClose}><BlockForm {...props} /></Dialog>;
}
