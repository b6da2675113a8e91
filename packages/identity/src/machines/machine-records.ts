import type { AuditedBy, Instant, MachineId, TokenHash } from '@tollgate/core';
import type { Machine } from './machine.js';

export interface MachineCreation {
  readonly machine: Machine;
  readonly hash: TokenHash;
  /** Maximum number of machines that are not revoked. */
  readonly maximum: number;
}

export interface MachineRotation {
  readonly id: MachineId;
  readonly hash: TokenHash;
  readonly hint: string;
  /** Expiry of the new secret. */
  readonly expiresAt: Instant;
  /** When the replaced secret expires, unless its own expiry is earlier. */
  readonly previousExpiresAt: Instant;
}

/** A machine with the expiry of the secret that it was found by. */
export interface MachineBySecret {
  readonly machine: Machine;
  readonly secretExpiresAt: Instant;
}

/** Stored machines. Every change is audited in the same transaction. */
export interface MachineRecords {
  create(creation: MachineCreation, by: AuditedBy): Promise<'created' | 'too-many'>;
  /** All machines, including revoked ones, newest first. */
  list(): Promise<readonly Machine[]>;
  /**
   * The replaced secret stays valid until `previousExpiresAt`; a secret of an earlier rotation becomes invalid at once. `null`, without effect, if
   * there is no such machine or it is revoked.
   */
  rotate(rotation: MachineRotation, by: AuditedBy): Promise<Machine | null>;
  /** False if there is no such machine or it is already revoked. In force once the promise resolves. */
  revoke(id: MachineId, by: AuditedBy): Promise<boolean>;
  /** Finds a machine by its current or previous secret, even if that has expired or the machine is revoked. */
  findByHash(hash: TokenHash): Promise<MachineBySecret | null>;
  noteUse(id: MachineId, at: Instant): Promise<void>;
}
