import { Button, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '#texts/common';
import { priceLists as texts } from '#texts/price-lists';
import { call } from '../../../../api/call';
import { useRoute } from '../../../../api/use-route';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { FormProblem } from '../../../../components/form-problem';
import { done, useRefreshAccount, type ActProps } from '../acts/account-data';
import classes from './dialogs.module.css';

/** Choice for an account without a list; no list has this id. */
const STANDARD = 'standard';

function PriceListForm({ account, onClose, onDone }: ActProps) {
  const refresh = useRefreshAccount();
  const { data: lists, error } = useRoute('listPriceLists', {});
  const [id, setId] = useState(account.price_list ?? STANDARD);
  const options = [{ value: STANDARD, label: texts.standard }, ...(lists?.data ?? []).map((list) => ({ value: list.id, label: list.name }))];
  const change = useMutation({
    mutationFn: () => call('changeAccount', { params: { id: account.id }, body: { price_list: id === STANDARD ? null : id } }),
    onSuccess: () => {
      onDone(done(texts.changed(options.find(({ value }) => value === id)?.label ?? id)));
      onClose();
      return refresh();
    },
  });
  return (
    <form className={classes['form']} onSubmit={(event) => { event.preventDefault(); change.mutate(); }}>
      <p className="muted">{texts.changeHelp}</p>
      <Select label={texts.label} data={options} value={id} allowDeselect={false} data-autofocus onChange={(value) => setId(value ?? id)} />
      <FormProblem error={change.error ?? error} />
      <DialogButtons>
        <Button variant="default" disabled={change.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={change.isPending}>{texts.change}</Button>
      </DialogButtons>
    </form>
  );
}

export function PriceListDialog(props: ActProps) {
  return <Dialog opened={props.opened} title={texts.changeTitle(props.account.email)} onClose={props.onClose}><PriceListForm {...props} /></Dialog>;
}
