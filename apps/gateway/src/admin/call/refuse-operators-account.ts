import { type Account, GatewayError, isClosedToOwnAccount, type StandingTrigger } from '@tollgate/core';
import { findOwner } from '../../dashboard/routes/account-views.js';
import type { AdminPorts } from './admin-ports.js';

/** Throws `session_required` if the act would close the account of an operator, who could then no longer revoke the machine. */
export async function refuseOperatorsAccount(account: Account, trigger: StandingTrigger, ports: Pick<AdminPorts, 'people'>): Promise<void> {
  if (!isClosedToOwnAccount(trigger) || (await findOwner(account, ports))?.role !== 'operator') return;
  throw new GatewayError('session_required', 'The account is of a person with the role of an operator. Only another operator can do this.');
}
