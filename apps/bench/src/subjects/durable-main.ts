import { open } from 'node:fs/promises';
import { COMMIT_BYTES } from './commit-bytes.js';
import { openUpstream } from './pass-through.js';
import { serveExpress } from './serve-express.js';

const upstream = openUpstream();
const PLACES = 64;
const file = await open('kept.bin', 'w+');
await file.write(new Uint8Array(PLACES * COMMIT_BYTES));
await file.sync();
const block = new Uint8Array(COMMIT_BYTES).fill(1);
let kept = 0;

/** As a log is written that is written over when it is long enough, so that the disk has no more to do than to keep it. */
async function keep(): Promise<void> {
  const position = (kept % PLACES) * COMMIT_BYTES;
  kept += 1;
  await file.write(block, 0, block.length, position);
  await file.datasync();
}

/** Has the disk keep as much as a commit writes before each reply: the least that anybody does whose charges outlive a loss of power. */
serveExpress(async (req, res) => {
  const { statusCode, headers, body } = await upstream.ask(req);
  const reply = Buffer.from(await body.arrayBuffer());
  await keep();
  res.writeHead(statusCode, headers).end(reply);
});
