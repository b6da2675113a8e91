import type { OperatorAct } from './operator-controls.js';

/** Hashes that identify an installation's secrets without revealing them. */
export interface SecretFingerprints {
  readonly current: string;
  /** The fingerprint of the previous secret; `null` outside a rotation. */
  readonly previous: string | null;
}

/** `other`: the store belongs to a secret that is neither the current nor the previous one. */
export type SecretClaim = 'recorded' | 'same' | 'rotated' | 'other';

/** Records the secret that the store's gateways share, so that a gateway with another one is refused. */
export interface InstallationRegistry {
  /** `null` until a gateway with a secret uses the store. */
  fingerprint(): Promise<string | null>;
  /**
   * Records the current fingerprint if the store has none or the previous one; otherwise changes nothing. Of concurrent calls
   * with different secrets on a new store, one succeeds and the others get `other`. A rotation is audited.
   */
  claim(fingerprints: SecretFingerprints, by: OperatorAct): Promise<SecretClaim>;
  /** Allows the next claim to record any secret, after the previous one was lost. Audited. Returns false if none was recorded. */
  forget(by: OperatorAct): Promise<boolean>;
}
