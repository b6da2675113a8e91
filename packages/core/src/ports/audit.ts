/** Where an act came from. */
export interface ActOrigin {
  readonly place: 'gateway' | 'command-line';
  /** The operating system's user, under whatever name the act is recorded; `null` where the gateway acts. */
  readonly user: string | null;
}

/** Who did something that the audit trail records, and from where. */
export interface Actor {
  readonly kind: 'operator' | 'owner' | 'system';
  /** An operator's or owner's name or id; `system` for the service itself. */
  readonly id: string;
  readonly origin: ActOrigin;
}

export const GATEWAY_ORIGIN: ActOrigin = { place: 'gateway', user: null };
export const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'system', origin: GATEWAY_ORIGIN };
