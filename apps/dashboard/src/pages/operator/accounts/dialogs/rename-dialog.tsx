import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { renaming as texts } from '#texts/account-acts';
import { common } from '#texts/common';
import { call } from '../../../../api/call';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { Form } from '../../../../components/form';
import { blankFault } from '../../../../components/typed-fault';
import { done, useRefreshAccount, type ActProps } from '../acts/account-data';
import classes from './dialogs.module.css';

const PARAMS = { name: 'name' } as const;
const MOST_CHARACTERS = 200;

function RenameForm({ account, onClose, onDone }: ActProps) {
  const refresh = useRefreshAccount();
  const form = useForm({ initialValues: { name: account.name }, validate: { name: blankFault } });
  const typed = form.values.name.trim();
  const rename = useMutation({
    mutationFn: () => call('changeAccount', { params: { id: account.id }, body: { name: typed } }),
    onSuccess: () => {
      onDone(done(texts.changed(typed)));
      onClose();
      return refresh();
    },
  });
  return (
    <Form form={form} error={rename.error} fields={PARAMS} className={classes['form']} onSubmit={() => rename.mutate()}>
      <TextInput label={texts.name} description={texts.help} maxLength={MOST_CHARACTERS} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <DialogButtons>
        <Button variant="default" disabled={rename.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={rename.isPending} disabled={typed === '' || typed === account.name}>{texts.act}</Button>
      </DialogButtons>
    </Form>
  );
}

export function RenameDialog(props: ActProps) {
  return <Dialog opened={props.opened} title={texts.title(props.account.email)} onClose={props.onClose}><RenameForm {...props} /></Dialog>;
}
