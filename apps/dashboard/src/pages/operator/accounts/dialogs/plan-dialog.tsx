import { Button, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { common } from '#texts/common';
import { accounts } from '#texts/account-list';
import { standing, tabs } from '#texts/operator-accounts';
import { call } from '../../../../api/call';
import { useRoute } from '../../../../api/use-route';
import { Dialog, DialogButtons } from '../../../../components/dialog';
import { FormProblem } from '../../../../components/form-problem';
import { exactCount } from '../../../../format/count';
import { done, useRefreshAccount, type ActProps } from '../acts/account-data';
import classes from './dialogs.module.css';

function PlanForm({ account, onClose, onDone }: ActProps) {
  const refresh = useRefreshAccount();
  const { data: plans, error } = useRoute('listPlans', {});
  const [id, setId] = useState(account.plan);
  const chosen = plans?.data.find((plan) => plan.id === id);
  const change = useMutation({
    mutationFn: () => call('changeAccount', { params: { id: account.id }, body: { plan: id } }),
    onSuccess: () => {
      onDone(done(standing.planChanged(chosen?.name ?? id)));
      onClose();
      return refresh();
    },
  });
  return (
    <form className={classes['form']} onSubmit={(event) => { event.preventDefault(); change.mutate(); }}>
      <p className="muted">{standing.changePlanHelp}</p>
      <Select
        label={accounts.plan} data={(plans?.data ?? []).map((plan) => ({ value: plan.id, label: plan.name }))} value={id} allowDeselect={false} data-autofocus
        onChange={(value) => setId(value ?? id)}
      />
      {chosen !== undefined && (
        <p className="muted">
          {tabs.requestsPerMinute}: {exactCount(chosen.limits.requests_per_minute)} · {tabs.tokensPerMinute}: {exactCount(chosen.limits.tokens_per_minute)} · {tabs.concurrent}: {exactCount(chosen.limits.concurrent_requests)}
        </p>
      )}
      <FormProblem error={change.error ?? error} />
      <DialogButtons>
        <Button variant="default" disabled={change.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" loading={change.isPending}>{standing.changePlan}</Button>
      </DialogButtons>
    </form>
  );
}

export function PlanDialog(props: ActProps) {
  return <Dialog opened={props.opened} title={standing.changePlanTitle(props.account.email)} onClose={props.onClose}><PlanForm {...props} /></Dialog>;
}
