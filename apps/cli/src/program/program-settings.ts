import { resolve } from 'node:path';
import {
  type Discover, DISCOVERED_UPSTREAM_ID, type Environment, openCatalogue, readSettings, type Settings, withEnvironmentFile,
} from '@tollgate/adapters-config';
import { SystemClock } from '@tollgate/adapters-node';
import { discoverModels } from '@tollgate/adapters-upstream';
import type { CatalogueSource } from '@tollgate/core';
import { IN_MEMORY } from '@tollgate/sql-common';
import { misuse } from './command-failure.js';

export interface ProgramContext {
  readonly environment: Environment;
  /** Relative paths of settings and `.env` are resolved here. */
  readonly folder: string;
  readonly userName: string;
}

/** Asks the server of `UPSTREAM_BASE_URL` for its models. */
export const askUpstream: Discover = ({ kind, baseUrl, apiKey, timeouts }) =>
  discoverModels({ id: DISCOVERED_UPSTREAM_ID, kind, baseUrl, apiKey, options: { timeouts } }, new SystemClock());

/** Throws a misuse that lists every problem. */
export function settingsOf({ environment, folder }: ProgramContext): { readonly settings: Settings; readonly environment: Environment } {
  const complete = withEnvironmentFile(environment, folder);
  const reading = readSettings(complete);
  if ('problems' in reading) throw misuse(reading.problems.join('\n'));
  return { settings: withAbsolutePaths(reading.settings, folder), environment: complete };
}

/** The same settings, with paths relative to a folder made absolute. */
function withAbsolutePaths(settings: Settings, folder: string): Settings {
  const { database, outboxFile, catalogueFile, mail, brand, secret, secret: { source } } = settings;
  return {
    ...settings,
    database: database.kind === 'sqlite' && database.path !== IN_MEMORY ? { ...database, path: resolve(folder, database.path) } : database,
    outboxFile: outboxFile === null ? null : resolve(folder, outboxFile),
    catalogueFile: catalogueFile === null ? null : resolve(folder, catalogueFile),
    mail: mail.kind === 'folder' ? { ...mail, folder: resolve(folder, mail.folder) } : mail,
    brand: { ...brand, logoFile: brand.logoFile === null ? null : resolve(folder, brand.logoFile) },
    secret: source.kind === 'file' ? { ...secret, source: { ...source, path: resolve(folder, source.path) } } : secret,
  };
}

export async function catalogueOf(programContext: ProgramContext, discover: Discover): Promise<CatalogueSource> {
  const { settings, environment } = settingsOf(programContext);
  const opening = await openCatalogue(settings, environment, discover);
  if ('problems' in opening) throw misuse(opening.problems.join('\n'));
  return opening.opened.source;
}
