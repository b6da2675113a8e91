import type { MachineId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { MachineClaim } from './machine-claim.js';

export interface AuditedBy {
  readonly actor: Actor;
  readonly at: Instant;
}

export interface ActOrigin {
  readonly place: 'gateway' | 'command-line';
  /** User of the operating system, even if the operator gave another name; `null` over HTTP and for the gateway itself. */
  readonly user: string | null;
  /** Address of the client, behind trusted proxies; `null` without a client. */
  readonly address: string | null;
  /** `machine:<id>` if the act was made in a session that a sign-in link of a machine began; else `null`. */
  readonly via: string | null;
}

export const ACTOR_KINDS = ['operator', 'owner', 'machine', 'system'] as const;

export interface Actor {
  readonly kind: (typeof ACTOR_KINDS)[number];
  /** A person's id, a name from the command line, `machine:<id>`, or `system`. */
  readonly id: string;
  readonly origin: ActOrigin;
  /**
   * Claim of a machine that sent an `Idempotency-Key`. The transaction of each change makes the claim, and throws `KeyClaimed` if another request has
   * the key.
   */
  readonly claim?: MachineClaim;
}

/** Id of the actor if the operator gives no name. */
export const COMMAND_LINE_ACTOR_ID = 'command-line';

export const GATEWAY_ORIGIN: ActOrigin = { place: 'gateway', user: null, address: null, via: null };
export const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'system', origin: GATEWAY_ORIGIN };

export function clientAt(address: string, via: string | null = null): ActOrigin {
  return { place: 'gateway', user: null, address, via };
}

/** As the audit log names a machine: `machine:<id>`. */
export function machineActorId(id: MachineId): string {
  return `machine:${id}`;
}
