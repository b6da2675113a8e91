import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTollgate } from '../run-tollgate.js';
import type { Terminal } from '../program/terminal.js';

export interface Run {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

/** Runs the command line in a folder of its own. */
export class TollgateFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'tollgate-cli-'));
  readonly environment: Record<string, string> = { DATABASE_URL: 'sqlite:./tollgate.db' };

  static async withDatabase(): Promise<TollgateFolder> {
    const folder = new TollgateFolder();
    await folder.json('database', 'create');
    return folder;
  }

  async run(...argv: readonly string[]): Promise<Run> {
    return this.runAt({}, argv);
  }

  /** Runs at a terminal whose user gives this answer; also returns the question. */
  async runAnswering(answer: string, ...argv: readonly string[]): Promise<Run & { readonly asked: string }> {
    let asked = '';
    const ask = async (question: string): Promise<string> => {
      asked += question;
      return answer;
    };
    const run = await this.runAt({ ask }, argv);
    return { ...run, asked };
  }

  /** Runs at a terminal; also returns the progress lines. */
  async runWatched(...argv: readonly string[]): Promise<Run & { readonly progress: readonly string[] }> {
    const progress: string[] = [];
    const run = await this.runAt({ progress: (text) => void progress.push(text) }, argv);
    return { ...run, progress };
  }

  /** Runs at a terminal of this width. */
  async runWithin(columns: number, ...argv: readonly string[]): Promise<Run> {
    return this.runAt({ columns }, argv);
  }

  private async runAt(terminal: Pick<Terminal, 'ask' | 'progress' | 'columns'>, argv: readonly string[]): Promise<Run> {
    let [out, error] = ['', ''];
    const exitCode = await runTollgate(
      argv,
      { environment: this.environment, folder: this.path, userName: 'olga' },
      { out: (text) => { out += text; }, error: (text) => { error += text; }, ...terminal },
    );
    return { exitCode, out, error };
  }

  /** The JSON of a command that must succeed. */
  async json<Shape>(...argv: readonly string[]): Promise<Shape> {
    const { exitCode, out, error } = await this.run(...argv, '--json');
    if (exitCode !== 0 || error !== '') throw new Error(`exit code ${exitCode}: ${error}`);
    return JSON.parse(out) as Shape;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}

export interface CreatedAccount {
  readonly account: { readonly id: string; readonly balance: Readonly<Record<string, string>> };
  readonly key: { readonly id: string; readonly secret: string };
}
