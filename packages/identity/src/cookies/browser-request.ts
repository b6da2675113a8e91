/** `address` is that of the client, behind trusted proxies. */
export interface BrowserRequest {
  readonly cookie: string | null;
  readonly userAgent: string | null;
  readonly address: string;
}
