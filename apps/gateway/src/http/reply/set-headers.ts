import type { ServerResponse } from 'node:http';
import type { ResponseHeaders } from '@tollgate/wire-kit';

/** Adds headers to a reply that has not begun. */
export function setHeaders(res: ServerResponse, headers: ResponseHeaders): void {
  for (const name in headers) res.setHeader(name, headers[name] ?? '');
}
