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
  private constructor(private readonly child: ChildProcess, private readonly folder: string, readonly signInLink: string) {}

  /** Resolves once it has printed how to sign in. */
  static async start(): Promise<StartedProgram> {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-browser-start-'));
    const child = spawn(process.execPath, [PROGRAM], {
      cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], env: { PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, SECRET_FILE: join(folder, 'secret'), MAIL_FOLDER: join(folder, 'mail') },
    });
    try {
      return new StartedProgram(child, folder, await linkIn(child));
    } catch (thrown) {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      throw thrown;
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What comes after the link is read and dropped, or a full pipe would stop the gateway. */
function linkIn(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => reject(new Error(`the gateway printed no sign-in link in time: ${printed}`)), START_MILLISECONDS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the gateway ended with code ${code}: ${printed}`));
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-20_000);
      const link = LINK.exec(printed)?.[1];
      if (link === undefined) return;
      clearTimeout(timer);
      resolve(link);
    });
  });
}
