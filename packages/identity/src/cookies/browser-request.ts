/** What the browser sent, as the gateway read it; the address is the gateway's decision. */
export interface BrowserRequest {
  readonly cookie: string | null;
  readonly userAgent: string | null;
  readonly address: string;
}
