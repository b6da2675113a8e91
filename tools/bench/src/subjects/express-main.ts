import { pipeline } from 'node:stream/promises';
import { openUpstream } from './pass-through.js';
import { serveExpress } from './serve-express.js';

const upstream = openUpstream();

serveExpress(async (req, res) => {
  const { statusCode, headers, body } = await upstream.ask(req);
  res.writeHead(statusCode, headers);
  await pipeline(body, res);
});
