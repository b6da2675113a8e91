import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, ManualClock } from '@tollgate/adapters-memory';
import { idempotencyStoreContract, ledgerContract, STORE_NOON } from '@tollgate/testkit';
import { OutboxIdempotency } from './outbox-idempotency.js';
import { OutboxLedger } from './outbox-ledger.js';
import { SILENT_OUTBOX_REPORT } from './outbox-report.js';


ledgerContract('memory behind an outbox', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-outbox-'));
  const store = createMemoryStore();
  const ledger = await OutboxLedger.open({ ledger: store.ledger, file: join(folder, 'outbox'), clock: new ManualClock(STORE_NOON), report: SILENT_OUTBOX_REPORT });
  const close = async (): Promise<void> => {
    await ledger.close();
    rmSync(folder, { recursive: true });
  };
  return { ...store, ledger, close };
});

idempotencyStoreContract('memory behind an outbox', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-outbox-'));
  const store = createMemoryStore();
  const idempotency = await OutboxIdempotency.open({
    idempotency: store.idempotency, file: join(folder, 'outbox-replies'), clock: new ManualClock(STORE_NOON), onFileProblem: () => undefined, onStuck: () => undefined,
  });
  const close = async (): Promise<void> => {
    await idempotency.close();
    rmSync(folder, { recursive: true });
  };
  return { ...store, idempotency, close };
});
