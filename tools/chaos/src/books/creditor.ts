import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DatabasePlace } from '@tollgate/adapters-sql';
import type { AccountId } from '@tollgate/core';
import { track } from '../processes/running.js';
import type { Acknowledged } from './acknowledged.js';
import { CREDIT } from './credit.js';

const PROGRAM = fileURLToPath(new URL('credit-forever.js', import.meta.url));

export interface CreditorOptions {
  readonly database: DatabasePlace;
  readonly acknowledged: Acknowledged;
  /** Who is credited again and again. */
  readonly accountId: AccountId;
  readonly logFile: string;
}

/** A program beside the gateways, which credits an account as the command line does, until it is killed. */
export class Creditor {
  #unfinished = '';

  private constructor(private readonly child: ChildProcess, acknowledged: Acknowledged) {
    track(child);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${this.#unfinished}${text}`.split('\n');
      this.#unfinished = lines.pop() ?? '';
      acknowledged.credits.push(...lines.map((reference) => ({ reference, amount: CREDIT })));
    });
  }

  /** Resolves once it has credited for the first time; rejects when it ends before. */
  static async start({ database, acknowledged, accountId, logFile }: CreditorOptions): Promise<Creditor> {
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(database), accountId], { stdio: ['ignore', 'pipe', log, 'ipc'] });
    closeSync(log);
    const creditor = new Creditor(child, acknowledged);
    const ended = once(child, 'exit').then(() => {
      throw new Error('the program that credits ended at its start');
    });
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
    // From here on its end is expected.
    ended.catch(() => undefined);
    return creditor;
  }

  /** Resolves when it is gone and everything it was told is known here. */
  async kill(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.kill('SIGKILL');
    await closed;
  }
}
