import { dirname, join } from 'node:path';
import type { VariableValues } from './variables.js';

/** Where the installation's secret comes from. */
export type SecretSource =
  | { readonly kind: 'value'; readonly secret: Uint8Array }
  | { readonly kind: 'file'; readonly path: string; readonly whenMissing: 'make' | 'refuse' }
  /** The database goes with its process, and so may the secret. */
  | { readonly kind: 'passing' }
  | { readonly kind: 'none' };

export interface SecretSettings {
  readonly source: SecretSource;
  /** The secret that is being replaced; `null` outside a rotation. */
  readonly previous: Uint8Array | null;
}

type SecretValues = Pick<VariableValues, 'SECRET' | 'SECRET_FILE' | 'SECRET_PREVIOUS' | 'DATABASE_URL'>;

const IN_MEMORY = ':memory:';
/** Beside the database file, in a folder that the gateway makes private. */
const DEFAULT_NAME = 'secret';

/** Settings that contradict each other; `null` when they do not. */
export function secretProblem(values: SecretValues): string | null {
  if (values.SECRET !== null && values.SECRET_FILE !== null) return 'SECRET: must not be set beside SECRET_FILE';
  if (values.SECRET_PREVIOUS !== null && sourceOf(values).kind === 'none') return 'SECRET_PREVIOUS: must not be set without SECRET or SECRET_FILE';
  return null;
}

export function secretSettings(values: SecretValues): SecretSettings {
  return { source: sourceOf(values), previous: values.SECRET_PREVIOUS };
}

/** Only where there is one gateway may it make the secret: several would make several. */
function sourceOf({ SECRET: secret, SECRET_FILE: file, DATABASE_URL: database }: SecretValues): SecretSource {
  if (secret !== null) return { kind: 'value', secret };
  if (database.kind === 'postgres') return file === null ? { kind: 'none' } : { kind: 'file', path: file, whenMissing: 'refuse' };
  if (file !== null) return { kind: 'file', path: file, whenMissing: 'make' };
  return database.path === IN_MEMORY ? { kind: 'passing' } : { kind: 'file', path: join(dirname(database.path), DEFAULT_NAME), whenMissing: 'make' };
}
