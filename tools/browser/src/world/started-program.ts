import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../../apps/gateway/dist/main.js', import.meta.url));
const LINK = /^Sign in once, within an hour: (\S+)$/m;
const START_MILLISECONDS = 60_000;

/** The compiled gateway in a process of its own, as `npm start` runs it for the first time. */
export class StartedProgram {
  /** What it has logged. */
  readonly log: string[] = [];

  private constructor(private readonly child: ChildProcess, readonly folder: string, /** What it has printed, up to the link that signs in. */ readonly printed: string) {
    child.stderr?.on('data', (chunk: Buffer) => void this.log.push(chunk.toString()));
  }

  /** Resolves once it has printed how to sign in. */
  static async start(): Promise<StartedProgram> {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-browser-start-'));
    const child = spawn(process.execPath, [PROGRAM], {
      cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { LOG_LEVEL: 'trace', PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, SECRET_FILE: join(folder, 'secret'), MAIL_FOLDER: join(folder, 'mail') },
    });
    try {
      return new StartedProgram(child, folder, await printedBy(child));
    } catch (thrown) {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      throw thrown;
    }
  }

  get signInLink(): string {
    return LINK.exec(this.printed)?.[1] ?? '';
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What comes after the link is read and dropped, or a full pipe would stop the gateway. */
function printedBy(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => reject(new Error(`the gateway printed no sign-in link in time: ${printed}`)), START_MILLISECONDS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the gateway ended with code ${code}: ${printed}`));
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-20_000);
      if (!LINK.test(printed)) return;
      clearTimeout(timer);
      resolve(printed);
    });
  });
}
