import { createServer } from 'node:http';
import express, { type Request, type Response } from 'express';
import { announcePort } from '../processes/announce-port.js';

/** Answers one request. */
export type Relay = (req: Request, res: Response) => Promise<void>;

/** Serves generations behind Express, in one way, until the process is stopped. */
export function serveExpress(relay: Relay): void {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.post('/v1/chat/completions', (req, res, next) => {
    relay(req, res).catch(next);
  });
  announcePort(createServer(app));
}
