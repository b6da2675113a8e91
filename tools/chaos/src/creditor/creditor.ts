import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AccountId } from '@tollgate/core';
import { Child } from '@tollgate/kit';
import type { DatabaseLocation } from '@tollgate/sql-common';
import type { Acknowledged } from '../customers/acknowledged.js';

/** Amount of each credit in service tokens. It pays for a few requests, so that the account keeps running out. */
export const CREDIT = '3';

const PROGRAM = fileURLToPath(new URL('credit-forever.js', import.meta.url));

export interface CreditorOptions {
  readonly database: DatabaseLocation;
  readonly acknowledged: Acknowledged;
  readonly accountId: AccountId;
  readonly logFile: string;
}

/** A process that credits an account, as the command line does, until it is killed. */
export class Creditor {
  #unfinished = '';

  private constructor(private readonly child: Child, acknowledged: Acknowledged) {
    child.output.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${this.#unfinished}${text}`.split('\n');
      this.#unfinished = lines.pop() ?? '';
      acknowledged.credits.push(...lines.map((reference) => ({ reference, amount: CREDIT })));
    });
  }

  /** Starts the process; resolves after its first credit. */
  static async start({ database, acknowledged, accountId, logFile }: CreditorOptions): Promise<Creditor> {
    const child = Child.start({
      name: 'the creditor', command: process.execPath, argv: [PROGRAM, JSON.stringify(database), accountId], folder: dirname(logFile), environment: {}, logFile,
    });
    const creditor = new Creditor(child, acknowledged);
    const isEnded = await Promise.race([once(child.output, 'data').then(() => false), child.ended.then(() => true)]);
    if (isEnded) throw new Error('the crediting program exited on startup');
    return creditor;
  }

  /** Kills the process; resolves when its last acknowledgement has been read. */
  async kill(): Promise<void> {
    this.child.kill();
    await this.child.closed;
  }
}
