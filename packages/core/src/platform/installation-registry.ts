import type { AuditedBy } from './actor.js';

/** Hashes of the secrets, from which no secret can be derived. */
export interface SecretFingerprints {
  readonly current: string;
  /** `null` outside a rotation. */
  readonly previous: string | null;
}

/** `other`: the store's secret is neither the current nor the previous one. */
export type SecretClaim = 'recorded' | 'same' | 'rotated' | 'other';

/** Stores a fingerprint of the secret that a store's gateways share, so that a gateway with another secret is refused. */
export interface InstallationRegistry {
  /** `null` if none is recorded. */
  fingerprint(): Promise<string | null>;
  /**
   * Records the current fingerprint if the store has none or the previous one. Of concurrent claims on a new store, one succeeds; claims with another
   * secret get `other`. Audits a rotation.
   */
  claim(fingerprints: SecretFingerprints, by: AuditedBy): Promise<SecretClaim>;
  /**
   * Forgets the fingerprint of a secret that was lost, so that the next claim can record any secret. Audited. False if no fingerprint was recorded.
   */
  forget(by: AuditedBy): Promise<boolean>;
}
