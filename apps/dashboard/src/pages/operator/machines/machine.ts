import type { Reply } from '../../../api/call';
import { DAY } from '../../../format/day';
import { gatewayNow } from '../../../format/gateway-time';

export type Machine = Reply<'listMachines'>['data'][number];
export type Scope = Machine['scopes'][number];
/** Reply that contains the secret. No later reply contains it. */
export type IssuedMachine = Reply<'createMachine'>;
export type MachineState = Machine['status'] | 'expires-soon';

const SOON_DAYS = 7;

export function daysLeft({ expires_at: expiresAt }: Pick<Machine, 'expires_at'>, now: Date = gatewayNow()): number {
  return Math.max(Math.floor((Date.parse(expiresAt) - now.getTime()) / DAY), 0);
}

export function stateOf(machine: Pick<Machine, 'status' | 'expires_at'>, now: Date = gatewayNow()): MachineState {
  return machine.status === 'active' && daysLeft(machine, now) <= SOON_DAYS ? 'expires-soon' : machine.status;
}

/** Until when the secret that the last rotation replaced is valid; `null` if there is none or it is no longer valid. */
export function replacedUntil({ status, previous_secret_expires_at: until }: Pick<Machine, 'status' | 'previous_secret_expires_at'>, now: Date = gatewayNow()): string | null {
  return status !== 'revoked' && until !== null && Date.parse(until) > now.getTime() ? until : null;
}

/** True if the machine was used within seven days, so that revoking it may stop a program. */
export function isInUse({ last_used_at: used }: Pick<Machine, 'last_used_at'>, now: Date = gatewayNow()): boolean {
  return used !== null && now.getTime() - Date.parse(used) < SOON_DAYS * DAY;
}
