import { MILLISECONDS_PER_SECOND, rfc3339 } from '@tollgate/core';
import { readSeenHistory, type SeenHistory, writeSeenHistory } from '@tollgate/adapters-node';
import type { SeenEntries, StoreHistory } from '@tollgate/sql-common';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const HISTORY_LOOK_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;

interface HistoryWatchPorts extends TaskPorts {
  /** `null` for a store in memory. */
  readonly history: StoreHistory | null;
  /** File outside the database that stores the numbers of the newest ledger and audit entries; `null` for a database in memory. */
  readonly file: string | null;
}

const MESSAGE = 'the database was set back: acknowledged entries are missing, after a failover or a restore. The missing charges and credits are lost, '
  + 'and keys whose revocation is missing work again';

function numbersOf({ ledger, audit }: SeenEntries): { readonly ledger: number; readonly audit: number } {
  return { ledger: ledger?.number ?? 0, audit: audit?.number ?? 0 };
}

/** Detects that the database lost entries, even across a restart. */
export class HistoryWatch extends ScheduledTask<HistoryWatchPorts> {
  protected readonly schedule = { intervalMilliseconds: HISTORY_LOOK_MILLISECONDS, failureMessage: 'the newest entries of the database could not be compared with those seen before; the gateway retries' };
  #kept: SeenHistory | null = null;
  #setBacks = 0;
  #isWriteFailing = false;

  get setBacks(): number {
    return this.#setBacks;
  }

  /** Compares the newest entries with those seen before. Also called at the start. */
  async run(): Promise<void> {
    const { history, file } = this.ports;
    if (history === null) return;
    const kept = this.#kept ?? (file === null ? { seen: { ledger: null, audit: null }, setBack: null } : await readSeenHistory(file));
    const { newest, lost } = await history.compare(kept.seen);
    const setBack = lost.length === 0 ? kept.setBack : { at: rfc3339(this.ports.clock.now()), seen: kept.seen };
    if (lost.length > 0) {
      this.report(kept.seen, newest);
      history.forgetCached();
    }
    await this.keep(kept, { seen: newest, setBack });
  }

  private report(seen: SeenEntries, found: SeenEntries): void {
    this.#setBacks += 1;
    this.ports.log.error({ seen: numbersOf(seen), found: numbersOf(found) }, MESSAGE);
  }

  private async keep(kept: SeenHistory, now: SeenHistory): Promise<void> {
    const isKept = this.#kept !== null && JSON.stringify(kept) === JSON.stringify(now);
    this.#kept = now;
    if (!isKept && this.ports.file !== null) await this.write(this.ports.file, now);
  }

  /** Logs the first of consecutive failures. The entries are then known in memory only. */
  private async write(file: string, now: SeenHistory): Promise<void> {
    try {
      await writeSeenHistory(file, now);
      this.#isWriteFailing = false;
    } catch (err) {
      if (!this.#isWriteFailing) this.ports.log.warn({ err, file }, 'the numbers of the newest ledger and audit entries could not be written to their file; after a restart, the gateway may not notice that the database was set back');
      this.#isWriteFailing = true;
    }
  }
}
