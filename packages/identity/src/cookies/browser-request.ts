/** `address` is determined by the gateway from its trusted proxies. */
export interface BrowserRequest {
  readonly cookie: string | null;
  readonly userAgent: string | null;
  readonly address: string;
}
