import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { openUpstream } from './pass-through.js';
import { serveExpress } from './serve-express.js';

const upstream = openUpstream();

function bytesOf(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk)).once('end', () => resolve(Buffer.concat(chunks))).once('error', reject);
  });
}

/** Parses every body and sends it on as it came, as anybody does who has to know what is asked and nothing of what was asked before. */
serveExpress(async (req, res) => {
  const bytes = await bytesOf(req);
  JSON.parse(bytes.toString());
  const { statusCode, headers, body } = await upstream.ask(req, bytes);
  res.writeHead(statusCode, headers);
  await pipeline(body, res);
});
