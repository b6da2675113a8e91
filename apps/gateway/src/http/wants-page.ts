import type { Request } from 'express';

/** True for a browser that wants a page: programs accept JSON or anything. */
export function wantsPage({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}
