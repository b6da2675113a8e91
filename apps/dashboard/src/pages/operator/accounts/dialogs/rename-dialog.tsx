import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { renaming as texts } from '#texts/account-acts';
import { common } from '#texts/common';
import { call } from '../../../../api/call';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { fieldErrors } from '../../../../components/form-errors';
import { FormProblem } from '../../../../components/form-problem';
import { done, useRefreshAccount, type ActProps } from '../acts/account-data';
import classes from './dialogs.module.css';

const PARAMS = { name: 'name' } as const;
const MOST_CHARACTERS = 200;

function RenameForm({ account, onClose, onDone }: ActProps) {
  const refresh = useRefreshAccount();
  const [name, setName] = useState(account.name);
  const typed = name.trim();
  const rename = useMutation({
    mutationFn: () => call('changeAccount', { params: { id: account.id }, body: { name: typed } }),
    onSuccess: () => {
      onDone(done(texts.changed(typed)));
      onClose();
      return refresh();
    },
  });
  return (
    <form className={classes['form']} noValidate onSubmit={(event) => { event.preventDefault(); rename.mutate(); }}>
      <TextInput label={texts.name} description={texts.help} value={name} maxLength={MOST_CHARACTERS} error={fieldErrors(rename.error, PARAMS)['name']} data-autofocus onChange={({ currentTarget }) => setName(currentTarget.value)} />
      <FormProblem error={rename.error} fields={PARAMS} />
      <DialogButtons>
        <Button variant="default" disabled={rename.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={rename.isPending} disabled={typed === '' || typed === account.name}>{texts.act}</Button>
      </DialogButtons>
    </form>
  );
}

export function RenameDialog(props: ActProps) {
  return <Dialog opened={props.opened} title={texts.title(props.account.email)} onClose={props.onClose}><RenameForm {...props} /></Dialog>;
}
