import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { account as texts } from '#texts/account';
import { call } from '../../api/call';
import { keyOf, useRoute } from '../../api/use-route';
import { Amount } from '../../components/amount';
import { Card } from '../../components/card';
import { DangerDialog } from '../../components/confirm-dialog';
import { FormProblem } from '../../components/form-problem';
import { useFreshCall } from '../../components/fresh-proof';
import { Note } from '../../components/note';
import { isZero } from '../../format/amount';
import { DAY } from '../../format/day';
import { longDate } from '../../format/instant';
import { useMe } from '../../session/person';
import classes from './account.module.css';
import { gatewayNow } from '../../format/gateway-time';

const { deletion } = texts;

function useStandingChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([client.invalidateQueries({ queryKey: keyOf('me') }), client.invalidateQueries({ queryKey: keyOf('account') })]);
  };
}

function Effect({ days }: { readonly days: number }) {
  const balance = useRoute('account', {}).data?.balance.total.svc_tokens;
  const [now] = useState(() => gatewayNow().getTime());
  const due = new Date(now + days * DAY).toISOString();
  return (
    <>
      {days === 0 ? deletion.atOnce : deletion.willBe(longDate(due))}
      {balance !== undefined && !isZero(balance) && <> <Amount value={balance} /> {deletion.lostAfter}</>}
      {' '}{deletion.recordsKept}
    </>
  );
}

function Ask() {
  const { person, settings: { deletion_grace_days: days } } = useMe();
  const fresh = useFreshCall();
  const changed = useStandingChanged();
  const [asked, setAsked] = useState(false);
  const schedule = async () => {
    await fresh(() => call('requestDeletion', {}));
    await changed();
  };
  return (
    <>
      <div>{deletion.lead(days)}</div>
      <div>{deletion.kept}</div>
      <div className={classes['buttons']}><Button variant="outline" color="red" onClick={() => setAsked(true)}>{deletion.action}</Button></div>
      <DangerDialog
        opened={asked} title={deletion.dialogTitle} effect={<Effect days={days} />} action={deletion.action} typed={person.email} typedLabel={deletion.typeEmail}
        onConfirm={schedule} onClose={() => setAsked(false)}
      />
    </>
  );
}

function Scheduled({ dueAt }: { readonly dueAt: string }) {
  const changed = useStandingChanged();
  const cancel = useMutation({ mutationFn: () => call('cancelDeletion', {}), onSuccess: changed });
  return (
    <>
      <Note kind="warning">{deletion.scheduled(longDate(dueAt))}</Note>
      <FormProblem error={cancel.error} />
      <div className={classes['buttons']}><Button loading={cancel.isPending} onClick={() => cancel.mutate()}>{deletion.cancel}</Button></div>
    </>
  );
}

export function DeletionTab() {
  const { account: { standing, deletion_due_at: dueAt } } = useMe();
  return (
    <div className={classes['column']}>
      <Card title={deletion.title}>
        {dueAt !== null && <Scheduled dueAt={dueAt} />}
        {dueAt === null && (standing === 'suspended' ? <div>{deletion.suspended}</div> : <Ask />)}
      </Card>
    </div>
  );
}
