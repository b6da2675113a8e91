import type { AuditedBy, Instant, MachineId, TokenHash } from '@tollgate/core';
import type { Machine } from './machine.js';

export interface MachineCreation {
  readonly machine: Machine;
  readonly hash: TokenHash;
  /** Maximum of unrevoked machines. */
  readonly maximum: number;
}

export interface MachineRotation {
  readonly id: MachineId;
  readonly hash: TokenHash;
  readonly hint: string;
  /** Expiry of the new secret. */
  readonly expiresAt: Instant;
  /** Expiry of the replaced secret, unless it expires earlier. */
  readonly previousExpiresAt: Instant;
}

/** A machine with the expiry of the secret that it was found by. */
export interface MachineBySecret {
  readonly machine: Machine;
  readonly secretExpiresAt: Instant;
}

/** Audits every change in the same transaction. */
export interface MachineRecords {
  create(creation: MachineCreation, by: AuditedBy): Promise<'created' | 'too-many'>;
  /** All, newest first, revoked ones included. */
  list(): Promise<readonly Machine[]>;
  /**
   * The replaced secret stays valid for a while; one that was replaced earlier stops at once.
   * `null`, without effect, if there is no such machine or it is revoked.
   */
  rotate(rotation: MachineRotation, by: AuditedBy): Promise<Machine | null>;
  /** False if there is no such machine or it is already revoked. Effective once resolved. */
  revoke(id: MachineId, by: AuditedBy): Promise<boolean>;
  /** By the current or the previous secret, even if expired or the machine is revoked. */
  findByHash(hash: TokenHash): Promise<MachineBySecret | null>;
  noteUse(id: MachineId, at: Instant): Promise<void>;
}
