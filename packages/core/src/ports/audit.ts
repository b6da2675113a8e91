/** Who did something that the audit trail records. */
export interface Actor {
  readonly kind: 'operator' | 'owner' | 'system';
  /** An operator's or owner's name or id; `system` for the service itself. */
  readonly id: string;
}

export const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'system' };
