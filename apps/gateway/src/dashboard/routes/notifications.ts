import { type BodyOf, contract, type ReplyOf } from '@tollgate/api-contract';
import { type AccountId, GatewayError, invariant, ServiceTokens } from '@tollgate/core';
import type { OptionalAlertKind } from '@tollgate/identity';
import { encodeAlertThresholds } from '@tollgate/wire-kit';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';

type Notifications = ReplyOf<typeof contract.notifications>;

const FIELDS = {
  'balance.low': 'balance_low', 'balance.exhausted': 'balance_exhausted', 'key.limit_reached': 'key_limit_reached', 'account.cap_reached': 'account_cap_reached',
  'webhook.disabled': 'webhook_disabled', 'credit.expiring': 'credit_expiring',
} as const satisfies Readonly<Record<OptionalAlertKind, keyof Notifications['mails']>>;

export function notificationEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { alerts, alertRecords, clock } = ports;
  return [
    endpoint(contract.notifications)(({ visitor: { account } }) => viewNotifications(account.id, ports)),
    endpoint(contract.changeNotifications)(async ({ visitor: { account: { id } }, call, body }) => {
      const by = { actor: actorOf(call, 'owner'), at: clock.now() };
      const thresholds = body.alert_thresholds?.map((amount) => ServiceTokens.parse(amount)) ?? null;
      const isThere = await alerts.choose(id, thresholds, by) && await alertRecords.disable(id, disabledKinds(body), by);
      if (!isThere) throw new GatewayError('conflict', 'The account has been deleted.');
      return viewNotifications(id, ports);
    }),
  ];
}

function disabledKinds({ mails }: BodyOf<typeof contract.changeNotifications>): readonly OptionalAlertKind[] {
  return (Object.keys(FIELDS) as readonly OptionalAlertKind[]).filter((kind) => !mails[FIELDS[kind]]);
}

async function viewNotifications(id: AccountId, { alerts, alertRecords }: Pick<DashboardPorts, 'alerts' | 'alertRecords'>): Promise<Notifications> {
  const [thresholds, disabled] = await Promise.all([alerts.find(id), alertRecords.disabledKinds(id)]);
  invariant(thresholds !== null, 'accounts stay, also when they are deleted');
  return {
    object: 'notifications',
    mails: {
      balance_low: !disabled.includes('balance.low'), balance_exhausted: !disabled.includes('balance.exhausted'), key_limit_reached: !disabled.includes('key.limit_reached'),
      account_cap_reached: !disabled.includes('account.cap_reached'), webhook_disabled: !disabled.includes('webhook.disabled'),
      credit_expiring: !disabled.includes('credit.expiring'),
    },
    ...encodeAlertThresholds(thresholds),
  };
}
