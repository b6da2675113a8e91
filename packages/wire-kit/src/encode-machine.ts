import { type Instant, type MachineId, type MachineScope, rfc3339 } from '@tollgate/core';
import { timeOrNull } from './encode-time.js';

interface EncodableMachine {
  readonly id: MachineId;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly MachineScope[];
  readonly networks: readonly string[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly previousExpiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
}

/** The machine as operators see it, without its secret. */
export function encodeMachine(machine: EncodableMachine, status: 'active' | 'expired' | 'revoked') {
  return {
    id: machine.id,
    object: 'machine' as const,
    name: machine.name,
    hint: machine.hint,
    status,
    scopes: [...machine.scopes],
    networks: [...machine.networks],
    created_at: rfc3339(machine.createdAt),
    expires_at: rfc3339(machine.expiresAt),
    previous_secret_expires_at: timeOrNull(machine.previousExpiresAt),
    revoked_at: timeOrNull(machine.revokedAt),
    last_used_at: timeOrNull(machine.lastUsedAt),
  };
}
