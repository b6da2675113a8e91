import type { OperatorAct } from './operator-controls.js';

/** Hashes; they reveal no secret. */
export interface SecretFingerprints {
  readonly current: string;
  /** `null` outside a rotation. */
  readonly previous: string | null;
}

/** `other`: the store's secret is neither the current nor the previous one. */
export type SecretClaim = 'recorded' | 'same' | 'rotated' | 'other';

/** Stores a fingerprint of the secret that a store's gateways share, so that a gateway with another secret is refused. */
export interface InstallationRegistry {
  /** `null` before the first claim. */
  fingerprint(): Promise<string | null>;
  /**
   * Records the current fingerprint if the store has none or the previous one. Of concurrent claims on a new store one succeeds; the others
   * get `other`. Audits a rotation.
   */
  claim(fingerprints: SecretFingerprints, by: OperatorAct): Promise<SecretClaim>;
  /** Lets the next claim record any secret, if the recorded one was lost. Audited. False if none was recorded. */
  forget(by: OperatorAct): Promise<boolean>;
}
