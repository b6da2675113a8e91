import { readSecretFile, type SecretSettings } from '@tollgate/adapters-config';
import { InstallationSecret } from '@tollgate/adapters-node';
import type { InstallationRegistry } from '@tollgate/core';

/** The secret that the gateways of this database share. `null` if the settings contain no readable secret, or another one. */
export async function readInstallationSecret({ source, previous }: SecretSettings, registry: InstallationRegistry): Promise<InstallationSecret | null> {
  const bytes = bytesOf(source);
  if (bytes === null) return null;
  const secret = new InstallationSecret(bytes, previous);
  const recorded = await registry.fingerprint();
  return recorded === null || recorded === secret.fingerprints().current ? secret : null;
}

function bytesOf(source: SecretSettings['source']): Uint8Array | null {
  if (source.kind === 'value') return source.secret;
  const reading = source.kind === 'file' ? readSecretFile(source.path) : null;
  return reading?.outcome === 'read' ? reading.secret : null;
}
