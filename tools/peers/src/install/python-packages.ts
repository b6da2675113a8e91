import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inheritedEnvironment, runOrThrow } from '../run-program.js';

const INSTALL_MILLISECONDS = 600_000;
const COMPLETE = 'complete';

/** The interpreter of the environment in a folder. */
export function pythonIn(folder: string): string {
  return join(folder, 'venv', 'bin', 'python');
}

/** Makes a Python environment of its own with exactly these packages. Needs `python3` with venv. */
export async function installPythonPackages(folder: string, packages: readonly string[]): Promise<void> {
  if (existsSync(join(folder, COMPLETE))) return;
  mkdirSync(folder, { recursive: true });
  const common = { folder, environment: inheritedEnvironment(), timeoutMilliseconds: INSTALL_MILLISECONDS };
  await runOrThrow({ ...common, command: 'python3', argv: ['-m', 'venv', 'venv'] });
  await runOrThrow({ ...common, command: pythonIn(folder), argv: ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages] });
  writeFileSync(join(folder, COMPLETE), '');
}
