import { PostgresSetup } from './postgres-setup.js';
import type { Setup, SetupName } from './setup.js';
import { SQLITE_SETUP } from './sqlite-setup.js';

/** Starts what a setup needs; to be closed in the end. */
export async function openSetup(name: SetupName): Promise<Setup> {
  return name === 'sqlite' ? SQLITE_SETUP : PostgresSetup.start();
}
