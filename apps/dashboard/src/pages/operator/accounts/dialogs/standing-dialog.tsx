import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { standing } from '#texts/operator-accounts';
import { Problem } from '../../../../api/problem';
import { DangerDialog } from '../../../../components/confirm-dialog';
import { useFreshCall } from '../../../../components/fresh-proof';
import { useMe } from '../../../../session/person';
import { useRefreshAccount, type ActProps } from '../acts/account-data';
import { PlainDialog } from '../../../../components/plain-dialog';
import type { StandingActName } from '../acts/open-acts';
import { standingAct } from './standing-acts';

const MAX_REASON = 500;

export function StandingDialog({ name, account, opened, onClose, onDone }: ActProps & { readonly name: StandingActName }) {
  const act = standingAct(name);
  const fresh = useFreshCall();
  const refresh = useRefreshAccount();
  const { settings } = useMe();
  const [reason, setReason] = useState('');
  const confirm = async () => {
    if (act.wantsReason === true && reason.trim() === '') throw new Problem(standing.reasonMissing);
    onDone(await fresh(() => act.run(account, reason.trim())));
    void refresh();
  };
  const texts = { opened, title: act.title(account.email), effect: act.effect(account, settings.deletion_grace_days), action: act.label, onConfirm: confirm, onClose };
  if (!act.isDangerous) return <PlainDialog {...texts} />;
  return (
    <DangerDialog {...texts} typed={act.wantsTyping === true ? account.email : undefined} typedLabel={standing.typeEmail}>
      {act.wantsReason === true && (
        <Textarea label={standing.reason} autosize minRows={2} maxLength={MAX_REASON} aria-required value={reason} onChange={({ currentTarget }) => setReason(currentTarget.value)} />
      )}
    </DangerDialog>
  );
}
