import { type Authenticator, type Caller, checkPlatform, type ErrorCode, GatewayError, type PlatformState } from '@tollgate/core';
import { refuseUnknownFraming } from './body/body-headers.js';
import { readCredential } from './credentials.js';
import type { Exchange } from './exchange.js';
import type { UnbilledLimits } from './unbilled-limits.js';

/** Refusals that come before the one of an address with nothing. */
const PASSED_ON: ReadonlySet<ErrorCode> = new Set(['rate_limit_exceeded', 'service_unavailable']);

export interface CallerGatePorts {
  readonly platform: PlatformState;
  readonly authenticator: Authenticator;
  readonly unbilled: UnbilledLimits;
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
    const caller = await this.authenticate(exchange);
    exchange.identify(caller);
    exchange.claim(this.ports.unbilled.askKey(caller));
    refuseUnknownFraming(exchange.req.headers);
    return caller;
  }

  /** For requests to nothing, which are refused whoever sends them. Throws the refusals that come first. */
  async admitToNothing(exchange: Exchange): Promise<void> {
    this.checkPlatform(exchange);
    const caller = await this.authenticate(exchange).catch((refusal: unknown) => {
      if (refusal instanceof GatewayError && !PASSED_ON.has(refusal.code)) return null;
      throw refusal;
    });
    if (caller === null) return;
    const claim = this.ports.unbilled.askKey(caller);
    exchange.claim(claim);
    claim.end();
  }

  /** A request without a valid key is counted, and refused by its address first. */
  private async authenticate(exchange: Exchange): Promise<Caller> {
    try {
      return await this.ports.authenticator.authenticate(readCredential(exchange.req.headers));
    } catch (refusal) {
      // While the store is away, it is not known whether the key is valid.
      if (refusal instanceof GatewayError && refusal.code !== 'service_unavailable') this.ports.unbilled.countStranger(exchange);
      throw refusal;
    }
  }
}
