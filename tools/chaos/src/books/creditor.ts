import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DatabasePlace } from '@tollgate/sql-common';
import type { AccountId } from '@tollgate/core';
import { track } from '../gateways/gateway-process.js';
import type { Outcome, Receipt } from '../load.js';

/** Service tokens of every credit: a few requests' worth, so that the account that gets them runs out again and again. */
export const CREDIT = '3';

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

export interface AcknowledgedCredit {
  readonly reference: string;
  readonly amount: string;
}

/** Everything that anybody was told about money, and so must be in the books for ever; and what came of each request. */
export class Acknowledged {
  readonly receipts: Receipt[] = [];
  readonly credits: AcknowledgedCredit[] = [];
  readonly outcomes: Outcome[] = [];

  note(outcome: Outcome): void {
    this.outcomes.push(outcome);
    if (outcome.receipt !== null) this.receipts.push(outcome.receipt);
  }
}
