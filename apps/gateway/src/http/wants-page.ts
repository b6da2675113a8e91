import type { Request } from 'express';

/** Programs accept JSON or anything. */
export function wantsPage({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}
