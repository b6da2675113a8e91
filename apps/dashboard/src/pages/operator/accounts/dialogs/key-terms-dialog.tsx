import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { accountKeys as own } from '#texts/account-acts';
import { common } from '#texts/common';
import { keys as texts } from '#texts/keys';
import { call, type Reply } from '../../../../api/call';
import { useRoute } from '../../../../api/use-route';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { Form } from '../../../../components/form';
import { useFreshCall } from '../../../../components/fresh-proof';
import { gatewayNow } from '../../../../format/gateway-time';
import { ExpiryField, KeyTermsFields } from '../../../keys/key-fields';
import { creationOf, emptyFields, faultsOf, fieldsOf, PARAMS, termsOf, type KeyFields } from '../../../keys/key-form';
import { useRefreshAccount, type AccountDetail } from '../acts/account-data';
import classes from './dialogs.module.css';

export type AccountKey = Reply<'listKeysOfAccount'>['data'][number];
export type IssuedAccountKey = Reply<'createKeyOfAccount'>;

interface KeyTermsProps {
  readonly account: AccountDetail;
  /** `null` for a new key. */
  readonly apiKey: AccountKey | null;
  readonly onClose: () => void;
  /** Receives the issued key, which is kept nowhere else. */
  readonly onIssued: (issued: IssuedAccountKey) => void;
  readonly onChanged: (key: AccountKey) => void;
}

/** Models of the account's plan. */
function usePlanModels({ plan_in_force: { id } }: AccountDetail): readonly string[] {
  const models = useRoute('listModels', {}).data?.data ?? [];
  const excluded = useRoute('listPlans', {}).data?.data.find((plan) => plan.id === id)?.excluded_models ?? [];
  return models.map(({ id: slug }) => slug).filter((slug) => !excluded.includes(slug));
}

function KeyTermsForm({ account, apiKey, onClose, onIssued, onChanged, onBusy }: KeyTermsProps & { readonly onBusy: (busy: boolean) => void }) {
  const fresh = useFreshCall();
  const refresh = useRefreshAccount();
  const models = usePlanModels(account);
  const form = useForm<KeyFields>({ initialValues: apiKey === null ? emptyFields('') : fieldsOf(apiKey), validate: (fields) => faultsOf(fields, gatewayNow()) });
  const save = useMutation({
    mutationFn: async (fields: KeyFields) => {
      const { id } = account;
      if (apiKey === null) onIssued(await fresh(() => call('createKeyOfAccount', { params: { id }, body: creationOf(fields, gatewayNow()) })));
      else onChanged(await call('changeKeyOfAccount', { params: { id, key: apiKey.id }, body: termsOf(fields) }));
    },
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: () => void refresh(),
  });
  return (
    <Form form={form} error={save.error} fields={PARAMS} className={classes['form']} onSubmit={(fields) => save.mutate(fields)}>
      <KeyTermsFields form={form} models={models}>{apiKey === null && <ExpiryField form={form} />}</KeyTermsFields>
      <p className="muted">{apiKey === null ? own.createHelp : texts.edit.help}</p>
      <DialogButtons>
        <Button variant="default" disabled={save.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={save.isPending}>{apiKey === null ? texts.create : texts.edit.action}</Button>
      </DialogButtons>
    </Form>
  );
}

export function KeyTermsDialog(props: KeyTermsProps) {
  const [busy, setBusy] = useState(false);
  const { account, apiKey } = props;
  return (
    <Dialog opened title={apiKey === null ? own.createTitle(account.email) : texts.edit.title(apiKey.name)} busy={busy} onClose={props.onClose}>
      <KeyTermsForm {...props} onBusy={setBusy} />
    </Dialog>
  );
}
