import type { Instant } from '../primitives/time.js';

export interface AuditedBy {
  readonly actor: Actor;
  readonly at: Instant;
}

/** Where an act came from. */
export interface ActOrigin {
  readonly place: 'gateway' | 'command-line';
  /** The operating system's user, under whatever name the act is recorded; `null` where the act came over HTTP, or the gateway itself acts. */
  readonly user: string | null;
  /** The client's address as the gateway decided it; `null` where there is no client. */
  readonly address: string | null;
}

/** Who did something that the audit trail records, and from where. */
export interface Actor {
  readonly kind: 'operator' | 'owner' | 'system';
  /** A person's id, or the name that an operator gives on the command line; `system` for the service itself. */
  readonly id: string;
  readonly origin: ActOrigin;
}

/** The id of an operator on the command line who gives no name. */
export const COMMAND_LINE_ACTOR_ID = 'command-line';

export const GATEWAY_ORIGIN: ActOrigin = { place: 'gateway', user: null, address: null };
export const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'system', origin: GATEWAY_ORIGIN };

/** Where a request over HTTP came from. */
export function clientAt(address: string): ActOrigin {
  return { place: 'gateway', user: null, address };
}
