import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readTextFile } from './text-file.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export const ENVIRONMENT_FILE_NAME = '.env';

/** Adds variables of the folder's `.env`. The process's own variables take precedence, even if empty. */
export function withEnvironmentFile(environment: Environment, folder: string): Environment {
  const path = join(folder, ENVIRONMENT_FILE_NAME);
  return existsSync(path) ? { ...parseEnv(readTextFile(path)), ...environment } : environment;
}
