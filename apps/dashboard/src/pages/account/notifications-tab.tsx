import { Button, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications as toasts } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { account as texts } from '#texts/account';
import { common } from '#texts/common';
import { call, type Reply } from '../../api/call';
import { keyOf, useRoute } from '../../api/use-route';
import { Amount } from '../../components/amount';
import { AmountInput } from '../../components/amount-input';
import { Card } from '../../components/card';
import { Form } from '../../components/form';
import { Part } from '../../components/part';
import { useMe } from '../../session/person';
import classes from './account.module.css';
import { bodyOf, type MailKind, type NotificationFields, notificationFaults, notificationFields } from './notification-form';

const { notifications } = texts;
const PART_HEIGHT = 560;
const KINDS = Object.keys(notifications.mails) as readonly MailKind[];
const PARAMS = { alert_thresholds: 'thresholds.0' } as const;

function InForce({ amounts }: { readonly amounts: readonly string[] }) {
  if (amounts.length === 0) return <div className="muted">{notifications.noneInForce}</div>;
  return <div className={`${classes['amounts']} muted`}><span>{notifications.inForce}</span>{amounts.map((amount) => <span key={amount}><Amount value={amount} named /></span>)}</div>;
}

function NotificationsForm({ saved }: { readonly saved: Reply<'notifications'> }) {
  const { person } = useMe();
  const client = useQueryClient();
  const form = useForm<NotificationFields>({ initialValues: notificationFields(saved), validate: notificationFaults });
  const save = useMutation({
    mutationFn: () => call('changeNotifications', { body: bodyOf(form.values) }),
    onSuccess: (changed) => {
      client.setQueryData(keyOf('notifications', {}), changed);
      form.setValues(notificationFields(changed));
      toasts.show({ message: notifications.saved });
    },
  });
  return (
    <Form form={form} error={save.error} fields={PARAMS} className={classes['column']} onSubmit={() => save.mutate()}>
      <Card title={notifications.title}>
        <div>{notifications.lead(person.email)}</div>
        {KINDS.map((kind) => (
          <Switch key={kind} {...notifications.mails[kind]} {...form.getInputProps(`mails.${kind}`, { type: 'checkbox' })} />
        ))}
        <div className="muted">{notifications.security}</div>
      </Card>
      <Card title={notifications.thresholds}>
        <div>{notifications.thresholdsLead}</div>
        <div className={classes['form']}>
          {form.values.thresholds.map((amount, index) => (
            <AmountInput
              key={index} label={notifications.threshold(index + 1)} {...form.getInputProps(`thresholds.${index}`)} value={amount}
            />
          ))}
        </div>
        <InForce amounts={saved.alert_thresholds_in_force} />
      </Card>
      <div className={classes['buttons']}><Button type="submit" loading={save.isPending}>{common.save}</Button></div>
    </Form>
  );
}

export function NotificationsTab() {
  const query = useRoute('notifications', {});
  return <Part query={query} height={PART_HEIGHT}>{(saved) => <NotificationsForm saved={saved} />}</Part>;
}
