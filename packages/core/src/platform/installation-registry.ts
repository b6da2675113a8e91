import type { OperatorAct } from './operator-controls.js';

/** Values derived from an installation's secret. They tell secrets apart and reveal nothing about them. */
export interface SecretFingerprints {
  readonly current: string;
  /** Of the secret that the current one replaces; `null` outside a rotation. */
  readonly previous: string | null;
}

/** `other`: the store belongs to a secret that is neither the current nor the previous one. */
export type SecretClaim = 'recorded' | 'same' | 'rotated' | 'other';

/** Remembers in the store which secret its gateways share. */
export interface InstallationRegistry {
  /** `null` until the first gateway with a secret uses the store. */
  fingerprint(): Promise<string | null>;
  /**
   * Records the current fingerprint where there is none or the previous one, and changes nothing otherwise. Of several simultaneous
   * calls with different secrets on a new store, one records its own and the others get `other`. A rotation enters the audit trail.
   */
  claim(fingerprints: SecretFingerprints, by: OperatorAct): Promise<SecretClaim>;
  /** Lets the next claim record any secret, since the one before is lost. On record; `false` where none was recorded. */
  forget(by: OperatorAct): Promise<boolean>;
}
