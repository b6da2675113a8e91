import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { factors } from '#texts/factors';
import { common } from '#texts/common';
import type { Reply } from '../../api/call';
import { browserOf } from '../../format/user-agent';
import { createPasskey } from '../../session/passkeys';
import { Form } from '../form';
import { useFreshCall } from '../fresh-proof';
import classes from './factors.module.css';

export function PasskeyForm({ variant, onAdded }: { readonly variant: 'filled' | 'default'; readonly onAdded: (added: Reply<'addPasskey'>) => void }) {
  const fresh = useFreshCall();
  const form = useForm({
    initialValues: { name: browserOf(navigator.userAgent) ?? factors.passkeyNameUnknown },
    validate: { name: (name) => (name.trim() === '' ? common.fieldRequired : null) },
  });
  const add = useMutation({
    mutationFn: () => fresh(() => createPasskey(form.values.name.trim())), onSuccess: onAdded,
  });
  return (
    <Form form={form} error={add.error} fields={['name']} className={classes['steps']} onSubmit={() => add.mutate()}>
      <TextInput label={factors.passkeyName} description={factors.passkeyNameNote} maxLength={200} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <div className={classes['end']}><Button type="submit" variant={variant} loading={add.isPending}>{factors.addPasskey}</Button></div>
    </Form>
  );
}
