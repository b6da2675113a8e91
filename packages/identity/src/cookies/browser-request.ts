/** `address`: the client's, also if trusted proxies forward the request. */
export interface BrowserRequest {
  readonly cookie: string | null;
  readonly userAgent: string | null;
  readonly address: string;
}
