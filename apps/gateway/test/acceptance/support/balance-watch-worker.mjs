import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

// Reads the accounts on its own connection until the flag is set; each read sees one consistent state.
const { file, flag } = workerData;
const stopped = new Int32Array(flag);
const database = new Database(file, { readonly: true }).defaultSafeIntegers(true);
const read = database.prepare(`
  select min(balance - reserved) as lowest,
    sum(reserved) - (select coalesce(sum(amount), 0) from reservations where state = 'held') as unexplained
  from accounts
`);
const seen = { reads: 0, lowest: null, unexplained: [] };
parentPort.postMessage('watching');
do {
  const { lowest, unexplained } = read.get();
  seen.reads += 1;
  if (seen.lowest === null || lowest < seen.lowest) seen.lowest = lowest;
  if (unexplained !== 0n) seen.unexplained.push(unexplained);
} while (Atomics.wait(stopped, 0, 0, 1) === 'timed-out');
database.close();
parentPort.postMessage(seen);
