import { OverwrittenFile } from '../disk/overwritten-file.js';
import { openUpstream } from './pass-through.js';
import { serveExpress } from './serve-express.js';

const upstream = openUpstream();
const file = await OverwrittenFile.create('kept.bin');
let syncing: Promise<void> = Promise.resolve();
let following: Promise<void> | null = null;

/** Resolves once the disk has what was written before. Who comes while it is busy waits for one and the same next time. */
function kept(): Promise<void> {
  following ??= syncing.then(() => {
    following = null;
    syncing = file.sync();
    return syncing;
  });
  return following;
}

/** Has the disk keep with each reply what a commit writes, as anybody does whose charges outlive a loss of power. */
serveExpress(async (req, res) => {
  const { statusCode, headers, body } = await upstream.ask(req);
  const reply = Buffer.from(await body.arrayBuffer());
  await file.write();
  await kept();
  res.writeHead(statusCode, headers).end(reply);
});
