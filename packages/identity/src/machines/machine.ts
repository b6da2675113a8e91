import {
  type Actor, clientAt, type Instant, invariant, machineActorId, type MachineId, type MachineScope, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE, networkMatcher, parseNetwork,
} from '@tollgate/core';

/** Maximum number of machines that are not revoked, including expired ones. */
export const MAX_MACHINES = 50;
export const DEFAULT_MACHINE_MILLISECONDS = 90 * MILLISECONDS_PER_DAY;
export const MAX_MACHINE_MILLISECONDS = 365 * MILLISECONDS_PER_DAY;
/** Maximum time from a rotation until the replaced secret becomes invalid. */
export const MAX_OVERLAP_MILLISECONDS = MILLISECONDS_PER_DAY;
export const MAX_MACHINE_NETWORKS = 50;
/** Bound on the requests of each machine. */
export const MACHINE_REQUESTS_PER_MINUTE = 600;
/** Uses within this time of a stored use are not stored. */
const USE_MILLISECONDS = MILLISECONDS_PER_MINUTE;

/** A credential for a program of the operator, valid under `/admin/v1`. */
export interface Machine {
  readonly id: MachineId;
  readonly name: string;
  /** Hint of the current secret. */
  readonly hint: string;
  /** At least one, in the order of `MACHINE_SCOPES`. */
  readonly scopes: readonly MachineScope[];
  /** Canonical CIDR ranges that the machine may call from; empty for all addresses. */
  readonly networks: readonly string[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Expiry of the secret that the last rotation replaced, possibly past; `null` if there was none. */
  readonly previousExpiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  /** Exact to a minute. */
  readonly lastUsedAt: Instant | null;
}

export type MachineState = 'active' | 'expired' | 'revoked';

export function machineState({ revokedAt, expiresAt }: Machine, at: Instant): MachineState {
  if (revokedAt !== null) return 'revoked';
  return at >= expiresAt ? 'expired' : 'active';
}

export function isMachineUseWorthNoting({ lastUsedAt }: Machine, at: Instant): boolean {
  return lastUsedAt === null || at - lastUsedAt >= USE_MILLISECONDS;
}

/** An unreadable address is outside every network. */
export function mayCallFrom({ networks }: Machine, address: string): boolean {
  return networks.length === 0 || networkMatcher(networks.map(readNetwork), 'outside')(address);
}

function readNetwork(text: string) {
  const network = parseNetwork(text);
  invariant(network !== null, 'networks were parsed when the machine was created');
  return network;
}

/** The machine as actor in the audit log. */
export function machineActor({ id }: Pick<Machine, 'id'>, address: string): Actor {
  return { kind: 'machine', id: machineActorId(id), origin: clientAt(address) };
}
