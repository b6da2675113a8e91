import { randomBytes } from 'node:crypto';
import { makeSecretFile, NEEDS_SECRET, readSecretFile, type SecretFileReading, type SecretSettings, type SecretSource } from '@tollgate/adapters-config';
import { InstallationSecret } from '@tollgate/adapters-node';
import { assertNever, type Clock, type InstallationRegistry, SYSTEM_ACTOR } from '@tollgate/core';
import type { Logger } from 'pino';
import { StartRefused } from '../http/server/start-refused.js';

const PASSING_SECRET_BYTES = 32;
const WITHOUT_SECRET = `SECRET and SECRET_FILE are not set, and gateways on PostgreSQL have to share one secret: ${NEEDS_SECRET} are off`;
const OF_ANOTHER = 'this database belongs to another secret. Give this gateway the secret that the other gateways have. To replace that secret, set '
  + 'SECRET_PREVIOUS to it, and SECRET or SECRET_FILE to the new one. If it is lost, `tollgate database forget-secret` lets the next start record a new one';

interface SecretPorts {
  readonly secret: SecretSettings;
  readonly registry: InstallationRegistry;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The secret of this gateway, checked against the fingerprint in the store; `null` if none is configured. Throws `StartRefused` if the secret is
 * unusable or does not match the store.
 */
export async function openInstallationSecret({ secret: { source, previous }, registry, clock, log }: SecretPorts): Promise<InstallationSecret | null> {
  const bytes = await secretOf(source, registry);
  if (bytes === null) {
    log.warn(WITHOUT_SECRET);
    return null;
  }
  const secret = new InstallationSecret(bytes, previous);
  const claim = await registry.claim(secret.fingerprints(), { actor: SYSTEM_ACTOR, at: clock.now() });
  if (claim === 'other') throw new StartRefused([`${source.kind === 'file' ? `SECRET_FILE (${source.path})` : 'SECRET'}: ${OF_ANOTHER}`]);
  if (claim === 'rotated') log.info('the secret was rotated; a gateway that has only the previous secret no longer starts');
  return secret;
}

function secretOf(source: SecretSource, registry: InstallationRegistry): Promise<Uint8Array | null> {
  switch (source.kind) {
    case 'none': return Promise.resolve(null);
    case 'value': return Promise.resolve(source.secret);
    case 'passing': return Promise.resolve(new Uint8Array(randomBytes(PASSING_SECRET_BYTES)));
    case 'file': return secretInFile(source, registry);
    default: return assertNever(source);
  }
}

/** Creates a missing file only if `whenMissing` allows it and the store has no fingerprint of an earlier secret, which a new one would not match. */
async function secretInFile({ path, whenMissing }: SecretSource & { kind: 'file' }, registry: InstallationRegistry): Promise<Uint8Array> {
  const found = readSecretFile(path);
  if (found.outcome !== 'missing') return usable(found);
  if (whenMissing === 'refuse') throw new StartRefused([`SECRET_FILE: there is no file ${path}, and gateways on PostgreSQL have to share one secret; \`openssl rand -hex 32\` prints one`]);
  if (await registry.fingerprint() !== null) {
    throw new StartRefused([`SECRET_FILE: there is no file ${path}, and this database belongs to the secret that was in it. Restore the file. `
      + 'If it is lost, `tollgate database forget-secret` lets the next start make a new one']);
  }
  return usable(makeSecretFile(path));
}

function usable(reading: SecretFileReading): Uint8Array {
  if (reading.outcome === 'read') return reading.secret;
  throw new StartRefused([`SECRET_FILE: ${reading.outcome === 'missing' ? 'the file has disappeared' : reading.problem}`]);
}
