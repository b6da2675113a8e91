import type { InstallationRegistry, OperatorAct, SecretClaim, SecretFingerprints } from '@tollgate/core';
import type { MemoryAuditTrail } from '../audit/memory-audit-trail.js';

/** Which secret this process's store belongs to. */
export class MemoryInstallation implements InstallationRegistry {
  #fingerprint: string | null = null;

  constructor(private readonly audit: MemoryAuditTrail) {}

  async fingerprint(): Promise<string | null> {
    return this.#fingerprint;
  }

  async claim({ current, previous }: SecretFingerprints, by: OperatorAct): Promise<SecretClaim> {
    const recorded = this.#fingerprint;
    if (recorded === current) return 'same';
    if (recorded !== null && recorded !== previous) return 'other';
    this.#fingerprint = current;
    if (recorded === null) return 'recorded';
    this.audit.record({ ...by, action: 'installation.secret-rotated', subject: 'installation', accountId: null, details: {} });
    return 'rotated';
  }

  async forget(by: OperatorAct): Promise<boolean> {
    if (this.#fingerprint === null) return false;
    this.#fingerprint = null;
    this.audit.record({ ...by, action: 'installation.secret-forgotten', subject: 'installation', accountId: null, details: {} });
    return true;
  }
}
