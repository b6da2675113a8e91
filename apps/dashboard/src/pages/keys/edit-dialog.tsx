import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { common } from '#texts/common';
import { keys as texts } from '#texts/keys';
import { call } from '../../api/call';
import { Dialog, DialogButtons } from '../../components/dialog';
import { Form } from '../../components/form';
import { KeyTermsFields } from './key-fields';
import { faultsOf, fieldsOf, PARAMS, termsOf, type KeyFields } from './key-form';
import type { Key } from './key-state';
import classes from './keys.module.css';
import { useKeysChanged } from './use-keys-changed';
import { gatewayNow } from '../../format/gateway-time';

interface EditDialogProps {
  readonly apiKey: Key;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function EditForm({ apiKey, onClose }: Omit<EditDialogProps, 'opened'>) {
  const form = useForm<KeyFields>({ initialValues: fieldsOf(apiKey), validate: (fields) => faultsOf(fields, gatewayNow()) });
  const keysChanged = useKeysChanged();
  const change = useMutation({
    mutationFn: (fields: KeyFields) => call('changeKey', { params: { id: apiKey.id }, body: termsOf(fields) }),
    onSuccess: () => {
      keysChanged();
      onClose();
    },
  });
  return (
    <Form form={form} error={change.error} fields={PARAMS} className={classes['form']} onSubmit={(fields) => change.mutate(fields)}>
      <KeyTermsFields form={form} />
      <p className="muted">{texts.edit.help}</p>
      <DialogButtons>
        <Button variant="default" disabled={change.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={change.isPending}>{texts.edit.action}</Button>
      </DialogButtons>
    </Form>
  );
}

export function EditDialog({ opened, ...props }: EditDialogProps) {
  return <Dialog opened={opened} title={texts.edit.title(props.apiKey.name)} onClose={props.onClose}><EditForm {...props} /></Dialog>;
}
