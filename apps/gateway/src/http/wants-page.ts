import type { Request } from 'express';

/** Whether it is a browser that shows the page it gets. Programs ask for JSON or for anything. */
export function wantsPage({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}
