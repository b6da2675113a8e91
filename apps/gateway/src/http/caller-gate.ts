import { type Authenticator, type Caller, checkPlatform, type PlatformState } from '@tollgate/core';
import { refuseUnknownFraming } from './body/body-headers.js';
import { readCredential } from './credentials.js';
import type { Exchange } from './exchange.js';

export interface CallerGatePorts {
  readonly platform: PlatformState;
  readonly authenticator: Authenticator;
}

/** Everything that is decided before a body is read, in the order of the refusals: platform, then key, then account. */
export class CallerGate {
  constructor(private readonly ports: CallerGatePorts) {}

  /** Needs no key: maintenance and blocked networks. */
  checkPlatform({ clientAddress }: Exchange): void {
    checkPlatform(this.ports.platform, clientAddress);
  }

  /** Who is calling. Throws the refusals of a request that has no right to be read. */
  async admit(exchange: Exchange): Promise<Caller> {
    this.checkPlatform(exchange);
    const caller = await this.ports.authenticator.authenticate(readCredential(exchange.req.headers));
    exchange.identify(caller);
    refuseUnknownFraming(exchange.req.headers);
    return caller;
  }
}
