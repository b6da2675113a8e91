import { decodeAttestationObject } from '@simplewebauthn/server/helpers';

/**
 * Whether an attestation object names no certificate. Attestation is not asked for, and checking a statement with certificates would fetch the
 * revocation lists that they name, which a client could point at any host. A statement that the new key signed by itself says no more than none.
 */
export function isWithoutCertificates(attestationObject: string): boolean {
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}
