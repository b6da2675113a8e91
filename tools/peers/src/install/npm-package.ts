import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inheritedEnvironment, runOrThrow } from '../run-program.js';

const INSTALL_MILLISECONDS = 300_000;

/** Installs one version of an npm package, without running its install scripts. */
export async function installNpmPackage(folder: string, name: string, version: string): Promise<void> {
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await runOrThrow({
    command: 'npm', argv: ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`],
    folder, environment: inheritedEnvironment(), timeoutMilliseconds: INSTALL_MILLISECONDS,
  });
}
