import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, ManualClock } from '@tollgate/adapters-memory';
import { ledgerContract, STORE_NOON } from '@tollgate/testkit';
import { OutboxLedger } from './outbox-ledger.js';

const SILENT = { kept: () => undefined, notStored: () => undefined, delivered: () => undefined, dropped: () => undefined, fileProblem: () => undefined };

ledgerContract('memory behind an outbox', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-outbox-'));
  const store = createMemoryStore();
  const ledger = await OutboxLedger.open({ ledger: store.ledger, file: join(folder, 'outbox'), clock: new ManualClock(STORE_NOON), report: SILENT });
  const close = async (): Promise<void> => {
    await ledger.close();
    rmSync(folder, { recursive: true });
  };
  return { ...store, ledger, close };
});
