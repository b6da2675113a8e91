import type { ResponseHeaders } from '@tollgate/wire-kit';

/** On every reply: a browser must not take JSON or an error text for a page or a script. */
export const NO_SNIFFING: ResponseHeaders = { 'x-content-type-options': 'nosniff' };
