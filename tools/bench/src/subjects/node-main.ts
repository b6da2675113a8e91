import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { announcePort } from '../processes/announce-port.js';
import { openUpstream, type Upstream } from './pass-through.js';

async function relay(upstream: Upstream, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { statusCode, headers, body } = await upstream.ask(req);
  res.writeHead(statusCode, headers);
  await pipeline(body, res);
}

const upstream = openUpstream();

announcePort(createServer((req, res) => {
  relay(upstream, req, res).catch(() => res.destroy());
}));
