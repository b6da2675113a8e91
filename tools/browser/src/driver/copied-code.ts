import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const PACKAGES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const LIMIT_MILLISECONDS = 60_000;

/** A folder in which code finds the packages that it says are to be installed. */
export class CodeFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tollgate-browser-code-'));

  constructor() {
    symlinkSync(PACKAGES, join(this.#folder, 'node_modules'));
  }

  /** Runs code as the file of this name, with a key in the environment variable `KEY`. Resolves with what it prints, and rejects where it fails. */
  async run(file: string, code: string, key: string): Promise<string> {
    writeFileSync(join(this.#folder, file), code);
    const program = file.endsWith('.py') ? 'python3' : process.execPath;
    const { stdout } = await runFile(program, [file], { cwd: this.#folder, env: { KEY: key, PATH: process.env['PATH'] ?? '' }, timeout: LIMIT_MILLISECONDS });
    return stdout;
  }

  /** Whether Python is here with this package. */
  async hasPython(name: string): Promise<boolean> {
    return runFile('python3', ['-c', `import ${name}`], { cwd: this.#folder }).then(() => true, () => false);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
