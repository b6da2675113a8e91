import type { Account, AccountChange, PlanId, PriceListId, StandingTrigger } from '@tollgate/core';
import { PAY_AS_YOU_GO, ServiceTokens } from '@tollgate/core';
import { adminContract, type AdminRoute, type ReplyOf } from '@tollgate/api-contract';
import { changeStanding, type PlainCommand, scheduleDeletion } from '../../dashboard/routes/operator-standings.js';
import { findAccount as findById, viewAccount, viewThresholds } from '../../dashboard/routes/account-views.js';
import { accountAfterChange, creationRefusal } from '../../dashboard/routes/operator-accounts.js';
import { type AdminEndpoint, adminChange } from '../call/admin-endpoint.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { findAccount, type NamedCall } from '../call/find-account.js';
import { refuseOperatorsAccount } from '../call/refuse-operators-account.js';

const { suspendAccount, reactivateAccount, blockAccount, unblockAccount, scheduleDeletion: deletion, cancelDeletion } = adminContract;

export function accountChangeEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { accountAdministration, deletionGraceMilliseconds } = ports.administration;
  return [
    adminChange(adminContract.createAccount)(async ({ body, actor }) => {
      const { email, name, plan, email_verified: emailVerified, external_id: externalId = null, metadata = {} } = body;
      const outcome = await accountAdministration.create({ email, name, planId: plan === undefined ? PAY_AS_YOU_GO : plan as PlanId, emailVerified, externalId, metadata, actor });
      if (outcome.outcome !== 'created') throw creationRefusal(outcome.outcome, body, ports);
      return viewAccount(outcome.account, ports);
    }, async (_call, { subject }) => viewAccount(await findById(subject, ports), ports)),
    adminChange(adminContract.changeAccount)(async (call) => {
      const { id } = await findAccount(call, ports);
      return withThresholds(accountAfterChange(await accountAdministration.change(id, readChange(call.body), call.actor), id, ports), ports);
    }, async (call) => withThresholds(await findAccount(call, ports), ports)),
    standing(reactivateAccount, 'reactivate', ports), standing(blockAccount, 'block', ports), standing(unblockAccount, 'unblock', ports), standing(cancelDeletion, 'cancel-deletion', ports),
    adminChange(suspendAccount)(async (call) => change(call, { trigger: 'suspend', reason: call.body.reason }, ports), (call) => unchanged(call, ports)),
    adminChange(deletion)(async (call) => scheduleDeletion({ ...await target(call, 'request-deletion', ports), graceMilliseconds: deletionGraceMilliseconds }, ports), (call) => unchanged(call, ports)),
  ];
}

async function withThresholds(account: Account, ports: AdminPorts) {
  return { ...await viewAccount(account, ports), ...await viewThresholds(account, ports) };
}

type Changed = ReplyOf<typeof suspendAccount>;
type StandingRoute = AdminRoute & Pick<typeof reactivateAccount, 'params' | 'reply'>;

function standing(route: StandingRoute, trigger: Exclude<PlainCommand['trigger'], 'suspend'>, ports: AdminPorts): AdminEndpoint {
  return adminChange(route)((call) => change(call, { trigger }, ports), (call) => unchanged(call, ports));
}

async function target(call: NamedCall, trigger: StandingTrigger, ports: AdminPorts) {
  const account = await findAccount(call, ports);
  await refuseOperatorsAccount(account, trigger, ports);
  return { accountId: account.id, actor: call.actor };
}

async function change(call: NamedCall, command: PlainCommand, ports: AdminPorts): Promise<Changed> {
  return changeStanding(await target(call, command.trigger, ports), command, ports);
}

async function unchanged(call: NamedCall, ports: AdminPorts): Promise<Changed> {
  return { ...await viewAccount(await findAccount(call, ports), ports), outcome: 'unchanged' };
}

interface GivenChange {
  readonly name?: string | undefined;
  readonly plan?: string | undefined;
  readonly price_list?: string | null | undefined;
  readonly external_id?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly alert_thresholds?: readonly string[] | null | undefined;
}

function readChange({ name, plan, price_list: priceList, external_id: externalId, metadata, alert_thresholds: thresholds }: GivenChange): AccountChange {
  return {
    ...(name === undefined ? {} : { name }), ...(plan === undefined ? {} : { planId: plan as PlanId }),
    ...(priceList === undefined ? {} : { priceList: priceList as PriceListId | null }),
    ...(externalId === undefined ? {} : { externalId }), ...(metadata === undefined ? {} : { metadata }),
    ...(thresholds === undefined ? {} : { alertThresholds: thresholds?.map((amount) => ServiceTokens.parse(amount)) ?? null }),
  };
}
