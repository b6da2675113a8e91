import {
  type AuditedBy, checkFields, formatNetwork, type Instant, later, MACHINE_SCOPES, type MachineId, type MachineScope, parseNetwork, refuseField, requireDisplayName,
} from '@tollgate/core';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { SecretTokens } from '../tokens/secret-tokens.js';
import type { MachineRecords } from './machine-records.js';
import { MachineSecret } from '../tokens/machine-secret.js';
import {
  DEFAULT_MACHINE_MILLISECONDS, isMachineUseWorthNoting, type Machine, MAX_MACHINE_MILLISECONDS, MAX_MACHINE_NETWORKS, MAX_MACHINES, MAX_OVERLAP_MILLISECONDS,
  mayCallFrom,
} from './machine.js';

export interface MachinesParts {
  readonly records: MachineRecords;
  readonly tokens: Pick<SecretTokens, 'hash'>;
  readonly ids: Pick<IdentityIdGenerator, 'machineId' | 'machineSecret'>;
  /** The setting `ADMIN_KEYS`. If false, `keys:write` is neither granted nor honoured. */
  readonly allowsKeys: boolean;
}

export interface CreateMachine {
  readonly name: string;
  readonly scopes: readonly MachineScope[];
  /** Addresses and CIDR ranges that the machine may call from; empty for all addresses. */
  readonly networks: readonly string[];
  /** `null` for 90 days from now. */
  readonly expiresAt: Instant | null;
}

export interface RotateMachine {
  readonly id: MachineId;
  /** Time for which the replaced secret stays valid; 0 ends it at once. */
  readonly overlapMilliseconds: number;
  /** `null` for 90 days from now. */
  readonly expiresAt: Instant | null;
}

/** A machine and its secret, which can be read only here. */
export interface IssuedMachine {
  readonly machine: Machine;
  readonly secret: MachineSecret;
}

export type CreateMachineOutcome = { readonly outcome: 'created'; readonly issued: IssuedMachine } | { readonly outcome: 'too-many' };
export type RotateMachineOutcome = { readonly outcome: 'rotated'; readonly issued: IssuedMachine } | { readonly outcome: 'no-such-machine' };

export interface MachineRequest {
  /** The secret as sent; `null` if none was sent. */
  readonly text: string | null;
  /** Address of the client. */
  readonly address: string;
}

export type MachineAuthentication =
  | { readonly outcome: 'authenticated'; readonly machine: Machine }
  /** `reason` is for the log only. `machineId` is `null` if the secret is of no machine. */
  | { readonly outcome: 'refused'; readonly reason: string; readonly machineId: MachineId | null };

function refused(reason: string, machineId: MachineId | null = null): MachineAuthentication {
  return { outcome: 'refused', reason, machineId };
}

/** Credentials of the operator's programs, valid only under `/admin/v1`. Of secrets, only hashes are stored. */
export class Machines {
  constructor(private readonly parts: MachinesParts) {}

  /** Throws `invalid_request` that names the field. */
  async create({ name, scopes, networks, expiresAt }: CreateMachine, by: AuditedBy): Promise<CreateMachineOutcome> {
    const [, granted, permitted, endsAt] = await checkFields(
      () => requireDisplayName(name), () => this.readScopes(scopes), () => readNetworks(networks), () => readExpiry(expiresAt, by.at),
    );
    const { ids, records } = this.parts;
    const secret = ids.machineSecret();
    const machine: Machine = {
      id: ids.machineId(), name, hint: secret.hint(), scopes: granted, networks: permitted, createdAt: by.at,
      expiresAt: endsAt, previousExpiresAt: null, revokedAt: null, lastUsedAt: null,
    };
    const outcome = await records.create({ machine, hash: this.hashOf(secret), maximum: MAX_MACHINES }, by);
    return outcome === 'created' ? { outcome, issued: { machine, secret } } : { outcome };
  }

  /** Scopes that may be granted, in the order of `MACHINE_SCOPES`. */
  get grantableScopes(): readonly MachineScope[] {
    return this.parts.allowsKeys ? MACHINE_SCOPES : MACHINE_SCOPES.filter((scope) => scope !== 'keys:write');
  }

  /** Newest first: at most `MAX_MACHINES` that are not revoked, and all revoked ones. */
  list(): Promise<readonly Machine[]> {
    return this.parts.records.list();
  }

  /** Issues a new secret with a new lifetime. Throws `invalid_request` that names the field. */
  async rotate({ id, overlapMilliseconds, expiresAt }: RotateMachine, by: AuditedBy): Promise<RotateMachineOutcome> {
    if (overlapMilliseconds < 0 || overlapMilliseconds > MAX_OVERLAP_MILLISECONDS) throw refuseField('overlap', 'must be from 0 to 24 hours', { code: 'out_of_range', minimum: 0, maximum: 24 });
    const secret = this.parts.ids.machineSecret();
    const machine = await this.parts.records.rotate({
      id, hash: this.hashOf(secret), hint: secret.hint(), expiresAt: readExpiry(expiresAt, by.at), previousExpiresAt: later(by.at, overlapMilliseconds),
    }, by);
    return machine === null ? { outcome: 'no-such-machine' } : { outcome: 'rotated', issued: { machine, secret } };
  }

  /** False if there is no such machine or it is already revoked. */
  revoke(id: MachineId, by: AuditedBy): Promise<boolean> {
    return this.parts.records.revoke(id, by);
  }

  async authenticate({ text, address }: MachineRequest, at: Instant): Promise<MachineAuthentication> {
    if (text === null) return refused('no secret was sent');
    const secret = MachineSecret.parse(text);
    if (secret === null) return refused('the secret does not have the form of a machine secret');
    const { records } = this.parts;
    const found = await records.findByHash(this.hashOf(secret));
    if (found === null) return refused('the secret is unknown');
    const { machine, secretExpiresAt } = found;
    if (machine.revokedAt !== null) return refused(`${machine.id} is revoked`, machine.id);
    if (at >= secretExpiresAt) return refused(`the secret of ${machine.id} has expired`, machine.id);
    if (!mayCallFrom(machine, address)) return refused(`${machine.id} called from outside its permitted networks`, machine.id);
    if (isMachineUseWorthNoting(machine, at)) await records.noteUse(machine.id, at);
    return { outcome: 'authenticated', machine: this.inForce(machine) };
  }

  /** While `ADMIN_KEYS` is off, a machine keeps `keys:write`, but without effect. */
  private inForce(machine: Machine): Machine {
    return { ...machine, scopes: machine.scopes.filter((scope) => this.grantableScopes.includes(scope)) };
  }

  private readScopes(scopes: readonly MachineScope[]): readonly MachineScope[] {
    if (scopes.length === 0) throw refuseField('scopes', 'must name at least one scope', { code: 'too_few', minimum: 1 });
    if (scopes.some((scope) => !this.grantableScopes.includes(scope))) throw refuseField('scopes', 'keys:write can be granted only with ADMIN_KEYS=on', { code: 'scope_off' });
    return MACHINE_SCOPES.filter((scope) => scopes.includes(scope));
  }

  private hashOf(secret: MachineSecret) {
    return this.parts.tokens.hash(secret.reveal());
  }
}

function readNetworks(texts: readonly string[]): readonly string[] {
  if (texts.length > MAX_MACHINE_NETWORKS) throw refuseField('networks', `must name at most ${MAX_MACHINE_NETWORKS} networks`, { code: 'too_many', maximum: MAX_MACHINE_NETWORKS });
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network === null) throw refuseField('networks', 'must be addresses or CIDR ranges such as 10.0.0.0/8', { code: 'not_a_network' });
    return formatNetwork(network);
  });
}

function readExpiry(expiresAt: Instant | null, now: Instant): Instant {
  const at = expiresAt ?? later(now, DEFAULT_MACHINE_MILLISECONDS);
  if (at <= now) throw refuseField('expires_at', 'must be in the future', { code: 'not_in_future' });
  if (at > later(now, MAX_MACHINE_MILLISECONDS)) throw refuseField('expires_at', 'must be at most 365 days ahead', { code: 'too_far_ahead', days: 365 });
  return at;
}
