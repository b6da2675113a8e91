import type { RequestHandler } from 'express';
import { isUnder, pathOf } from './request-target.js';

/** A router that is loaded at its first request, and after a failure at the next: most processes only serve models, and start faster without it. */
export function lazyRouter(root: string, load: () => Promise<RequestHandler>): RequestHandler {
  let router: Promise<RequestHandler> | null = null;
  return async (req, res, next) => {
    if (!isUnder(pathOf(req.url).toLowerCase(), root)) return next();
    router ??= load().catch((err: unknown) => {
      router = null;
      throw err;
    });
    const handle = await router;
    return handle(req, res, next);
  };
}
