import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import express, { type Request, type Response } from 'express';
import { announcePort } from '../processes/announce-port.js';
import { openUpstream } from './pass-through.js';

const upstream = openUpstream();
const app = express();
app.disable('x-powered-by');
app.disable('etag');

async function relay(req: Request, res: Response): Promise<void> {
  const { statusCode, headers, body } = await upstream.ask(req);
  res.writeHead(statusCode, headers);
  await pipeline(body, res);
}

app.post('/v1/chat/completions', (req, res, next) => {
  relay(req, res).catch(next);
});

announcePort(createServer(app));
