import { readSecretFile, type SecretSettings } from '@tollgate/adapters-config';
import { InstallationSecret } from '@tollgate/adapters-node';
import { assertNever } from '@tollgate/core';
import { type Check, ok, problem, warning } from './check.js';

const NAME = 'secret';
const FORGET = 'If it is lost, `tollgate database forget-secret` lets the next start record a new one.';

/** The fingerprint in the database, which is `null` where none is recorded; `unread` where the database cannot be read. */
export type RecordedFingerprint = { readonly state: 'read'; readonly fingerprint: string | null } | { readonly state: 'unread' };

/** Whether there is a secret, and whether it is the one that the gateways of this database share. */
export function secretCheck({ source, previous }: SecretSettings, recorded: RecordedFingerprint): Check {
  switch (source.kind) {
    case 'none': return warning(NAME, 'SECRET and SECRET_FILE are not set, so the dashboard and kept reasoning are off. `openssl rand -hex 32` prints a secret; give all gateways the same.');
    case 'passing': return ok(NAME, 'it goes with the database in memory');
    case 'value': return comparison('SECRET', new InstallationSecret(source.secret, previous), recorded);
    case 'file': return fileCheck(source, previous, recorded);
    default: return assertNever(source);
  }
}

function fileCheck({ path, whenMissing }: SecretSettings['source'] & { kind: 'file' }, previous: Uint8Array | null, recorded: RecordedFingerprint): Check {
  const reading = readSecretFile(path);
  switch (reading.outcome) {
    case 'read': return comparison(`the file ${path}`, new InstallationSecret(reading.secret, previous), recorded);
    case 'unusable': return problem(NAME, `${reading.problem} (SECRET_FILE).`);
    case 'missing':
      if (recorded.state === 'unread') return warning(NAME, `there is no file ${path} (SECRET_FILE), and the database cannot be read to tell whether there was one`);
      if (recorded.fingerprint !== null) return problem(NAME, `there is no file ${path} (SECRET_FILE), and the database belongs to the secret that was in it. Restore the file. ${FORGET}`);
      if (whenMissing === 'refuse') return problem(NAME, `there is no file ${path} (SECRET_FILE). \`openssl rand -hex 32\` prints a secret; give all gateways the same.`);
      return ok(NAME, `the first start of the gateway makes the file ${path}`);
    default: return assertNever(reading);
  }
}

function comparison(place: string, secret: InstallationSecret, recorded: RecordedFingerprint): Check {
  if (recorded.state === 'unread') return warning(NAME, `it is in ${place}; the database cannot be read to compare it with`);
  const { fingerprint } = recorded;
  const { current, previous } = secret.fingerprints();
  if (fingerprint === null) return ok(NAME, `it is in ${place}; the first start of the gateway records its fingerprint in the database`);
  if (fingerprint === current && previous === null) return ok(NAME, `it is in ${place}, and the database belongs to it`);
  if (fingerprint === current) return ok(NAME, `it is in ${place}, and the database belongs to it; SECRET_PREVIOUS can go once all gateways have the new one`);
  if (fingerprint === previous) return warning(NAME, `the database belongs to SECRET_PREVIOUS; the next start of a gateway rotates it to the one in ${place}`);
  return problem(NAME, `the database belongs to another secret than the one in ${place}. Give this gateway the secret that the others have. ${FORGET}`);
}
