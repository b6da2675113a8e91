import type { Request } from 'express';

export function isRead({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** True for a browser that wants a page: programs accept JSON or anything. */
export function wantsPage(req: Request): boolean {
  return isRead(req) && (req.headers.accept ?? '').includes('text/html');
}
